import { useEffect, useRef, useState } from 'react'
import { type ClientFieldName, clientFieldLimits } from '../../domain/client/client-fields.ts'
import { safeText } from '../../domain/shown-text.ts'
import {
  selectAsksToDiscard,
  selectBlockedReason,
  selectChanges,
  selectError,
  selectFields,
  selectHasFailed,
  selectIsLoaded,
  selectIsSaving,
  selectProblems,
} from '../../machines/client/edit-client.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field, NeededNote } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

type Props = Pick<DialogProps<'editClient'>, 'actor'>

const labels = {
  firstName: 'client.firstName',
  lastName: 'client.lastName',
  email: 'client.email',
  phone: 'client.phone',
  company: 'client.company',
  classification: 'client.classification',
} as const

/** Edits the fields of a client. What somebody else changed meanwhile is shown above the form. */
export default function EditClientDialog({ actor, title, onDismiss }: DialogProps<'editClient'>) {
  const isLoaded = useSelector(actor, selectIsLoaded)
  const hasFailed = useSelector(actor, selectHasFailed)
  const error = useSelector(actor, selectError)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {error !== null && (
        <p role="alert" className="mx-4 mt-3 shrink-0 rounded-ui bg-bad-soft px-3 py-2 text-bad">
          {error}
        </p>
      )}
      {isLoaded ? (
        <Form actor={actor} />
      ) : (
        <div className="grid justify-items-start gap-3 p-4">
          <p role="status" className="text-ink-2">
            {hasFailed ? t('client.profileNotLoaded') : t('client.loading')}
          </p>
          {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
        </div>
      )}
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}

/** What somebody else changed, with a choice for each field that both changed. */
function Changes({ actor }: Props) {
  const changes = useSelector(actor, selectChanges)
  const fields = useSelector(actor, selectFields)
  const isSaving = useSelector(actor, selectIsSaving)
  if (changes.length === 0) return null
  return (
    <section aria-label={t('client.editChangesTitle')} className="grid gap-2 rounded-ui bg-warn-soft px-3 py-2.5">
      <p className="font-medium">{t('client.editChangesTitle')}</p>
      <ul className="grid gap-2">
        {changes.map(({ field, theirs, mine }) => (
          <li key={field} className="grid gap-1 [overflow-wrap:anywhere]">
            <p>
              {t('client.editChangedTo', {
                field: t(labels[field]),
                value: safeText(theirs) || t('client.emptyValue'),
              })}
            </p>
            {mine !== null && (
              <div className="flex flex-wrap gap-2">
                {[
                  [t('client.keepMine', { value: safeText(mine) || t('client.emptyValue') }), mine] as const,
                  [t('client.takeTheirs', { value: safeText(theirs) || t('client.emptyValue') }), theirs] as const,
                ].map(([label, value]) => (
                  <Button
                    key={label}
                    aria-pressed={fields[field] === value}
                    disabled={isSaving}
                    className={fields[field] === value ? 'border-accent' : undefined}
                    onClick={() => actor.send({ type: 'value.chosen', field, value })}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Form({ actor }: Props) {
  const fields = useSelector(actor, selectFields)
  const problems = useSelector(actor, selectProblems)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const isSaving = useSelector(actor, selectIsSaving)
  const form = useRef<HTMLFormElement>(null)
  const [left, setLeft] = useState<ReadonlySet<ClientFieldName>>(new Set())
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const bind = (name: ClientFieldName) => ({
    label: t(labels[name]),
    name,
    value: fields[name],
    maxLength: clientFieldLimits[name],
    autoComplete: 'off',
    readOnly: isSaving,
    error: left.has(name) ? problems[name] : null,
    onBlur: () => setLeft((before) => new Set([...before, name])),
    onChange: (event: { target: { value: string } }) =>
      actor.send({ type: 'fields.typed', fields: { ...fields, [name]: event.target.value } }),
  })
  return (
    <form
      ref={form}
      noValidate
      aria-label={t('client.editTitle')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submitted' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-4">
        <Changes actor={actor} />
        <div className="grid grid-cols-2 items-start gap-3">
          <Field required {...bind('firstName')} />
          <Field required {...bind('lastName')} />
        </div>
        <Field type="email" {...bind('email')} />
        <Field type="tel" {...bind('phone')} />
        <Field {...bind('company')} />
        <Field required {...bind('classification')} />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={isSaving} onClick={() => actor.send({ type: 'form.cancelled' })}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={isSaving} blockedReason={blockedReason}>
          {isSaving ? t('shared.saving') : t('client.editSave')}
        </SubmitButton>
      </footer>
    </form>
  )
}
