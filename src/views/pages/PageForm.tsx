import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName } from '../../domain/shown-text.ts'
import {
  type pageFormMachine,
  selectAsksToDiscard,
  selectBlockedReason,
  selectFields,
  selectHasToken,
  selectIsSaving,
  selectNameProblem,
  selectNeedsToken,
  selectVerification,
} from '../../machines/pages/page-form.ts'
import { pageLimits } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field, FieldLabel } from '../components/Field.tsx'
import { FilledText } from '../components/FilledText.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { useSelector } from '../use-selector.ts'

type PageFormActor = ActorRefFrom<typeof pageFormMachine>

/**
 * Adds or edits a social page (spec section 2, Page Manager modal). Only this form holds the token, until the form is
 * saved or closed. The server never returns the token, and password managers are told not to save it.
 */
export function PageForm({ actor }: { actor: PageFormActor }) {
  const id = useId()
  const { page, name, token, isActive, senderActions, error } = useSelector(actor, selectFields)
  const verification = useSelector(actor, selectVerification)
  const saving = useSelector(actor, selectIsSaving)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const nameProblem = useSelector(actor, selectNameProblem)
  const adding = page === null
  const needsToken = useSelector(actor, selectNeedsToken)
  return (
    <FormFrame
      actor={actor}
      label={adding ? t('pages.addForm') : t('pages.editForm')}
      heading={
        page === null ? (
          t('pages.add')
        ) : (
          <FilledText parts={{ page: <bdi>{safeName(page.page_name)}</bdi> }}>
            {(marks) => t('pages.editHeading', marks)}
          </FilledText>
        )
      }
      error={error}
      isSaving={saving}
      blockedReason={blockedReason}
      asksToDiscard={asksToDiscard}
      submit={saving ? t('shared.saving') : adding ? t('pages.add') : t('pages.updatePage')}
      actions={
        <Button
          disabled={saving || verification === 'verifying'}
          onClick={() => actor.send({ type: 'verification.requested' })}
        >
          {verification === 'verifying' ? t('pages.verifying') : t('pages.verifyToken')}
        </Button>
      }
    >
      <Field
        label={t('pages.pageName')}
        required
        maxLength={pageLimits.name}
        autoComplete="off"
        value={name}
        readOnly={saving}
        error={nameProblem}
        onChange={(event) => actor.send({ type: 'name.edited', name: event.target.value })}
      />
      {!adding && (
        <label className="flex w-fit cursor-pointer items-center gap-2 touch:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={isActive}
            disabled={saving}
            onChange={(event) => actor.send({ type: 'active.chosen', isActive: event.target.checked })}
          />
          {t('shared.active')}
        </label>
      )}
      {senderActions !== null && (
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium text-xs">{t('pages.shownToCustomers')}</legend>
          {(['typing', 'seen'] as const).map((action) => (
            <label key={action} className="flex w-fit cursor-pointer items-center gap-2 touch:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={senderActions[action]}
                disabled={saving}
                onChange={(event) =>
                  actor.send({
                    type: 'senderActions.chosen',
                    senderActions: { ...senderActions, [action]: event.target.checked },
                  })
                }
              />
              {t(action === 'typing' ? 'pages.showTyping' : 'pages.showSeen')}
            </label>
          ))}
        </fieldset>
      )}
      <div className="grid gap-1">
        <FieldLabel htmlFor={`${id}-token`} required={needsToken}>
          {t('pages.pageAccessToken')}
        </FieldLabel>
        <textarea
          id={`${id}-token`}
          required={needsToken}
          rows={4}
          maxLength={pageLimits.token}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          aria-describedby={`${id}-hint ${id}-verification`}
          aria-invalid={verification === 'invalid' || undefined}
          className="w-full min-w-0 resize-none rounded-ui border border-edge bg-panel px-3 py-2 font-mono text-ink text-xs [-webkit-text-security:disc] [overflow-wrap:anywhere] aria-invalid:border-bad"
          value={token}
          readOnly={saving}
          onChange={(event) => actor.send({ type: 'token.edited', token: event.target.value })}
        />
        <p id={`${id}-hint`} className="text-ink-2 text-xs">
          {adding ? t('pages.tokenKept') : needsToken ? t('pages.tokenNeeded') : t('pages.tokenOptional')}
        </p>
      </div>
      <div id={`${id}-verification`} role="status" className="min-h-15">
        <VerificationBanner actor={actor} />
      </div>
    </FormFrame>
  )
}

/** The verification status of the entered token. */
function VerificationBanner({ actor }: { actor: PageFormActor }) {
  const { owner, problem } = useSelector(actor, selectFields)
  const hasToken = useSelector(actor, selectHasToken)
  const verification = useSelector(actor, selectVerification)
  if (verification === 'verifying')
    return <p className="rounded-ui bg-sunken px-3 py-2 text-ink-2">{t('pages.verifying')}</p>
  if (verification === 'valid' && owner !== null) {
    const username = safeName(owner.username ?? '')
    const about = [username && `@${username}`, safeName(owner.category ?? '')].filter(Boolean).join(' · ')
    return (
      <p className="rounded-ui bg-ok-soft px-3 py-2 text-ok">
        <FilledText
          parts={{
            verdict: <b className="font-semibold">{t('pages.valid')}</b>,
            page: <bdi>{safeName(owner.name)}</bdi>,
          }}
        >
          {(marks) => t('pages.tokenBelongs', marks)}
        </FilledText>
        {about && <span className="block text-xs">{about}</span>}
      </p>
    )
  }
  if (problem !== null) {
    const isInvalid = verification === 'invalid'
    return (
      <p
        className={
          isInvalid ? 'rounded-ui bg-bad-soft px-3 py-2 text-bad' : 'rounded-ui bg-warn-soft px-3 py-2 text-warn'
        }
      >
        {isInvalid && <b className="font-semibold">{t('pages.invalid')} </b>}
        {problem}
      </p>
    )
  }
  return hasToken ? <p className="rounded-ui bg-sunken px-3 py-2 text-ink-2">{t('pages.notVerified')}</p> : null
}
