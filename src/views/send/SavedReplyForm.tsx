import { type ReactNode, useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { formatMoney } from '../../domain/client/money.ts'
import { unknownVariablesIn } from '../../domain/client/reply-variables.ts'
import { variables } from '../../domain/send/placeholders.ts'
import { withInsertion } from '../../domain/send/saved-replies.ts'
import type { SavedReplyFields } from '../../domain/send/saved-reply-fields.ts'
import { fitsInMessage } from '../../domain/send/text-limit.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type savedReplyFormMachine,
  selectBlockedReason,
  selectNameProblem,
  selectPictures,
} from '../../machines/send/saved-reply-form.ts'
import { savedReplyLimits } from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { useBusiness } from '../client/use-business.ts'
import { Button } from '../components/Button.tsx'
import { Field, FieldLabel } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { selectText } from '../components/select-text.ts'
import { useUser } from '../use-inbox.ts'
import { useItemForm } from '../use-item-form.ts'
import { usePages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'
import { ChoicesField } from './ChoicesField.tsx'
import { FilledReply, variableName } from './FilledReply.tsx'
import { PicturesField } from './PicturesField.tsx'
import { useSendsPictures } from './ReplyPictures.tsx'

type Change = (change: Partial<SavedReplyFields>) => void
type PartProps = { fields: SavedReplyFields; saving: boolean; onChange: Change }

/** The form of a saved reply, with a preview of its variables. */
export function SavedReplyForm({ actor }: { actor: ActorRefFrom<typeof savedReplyFormMachine> }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const nameProblem = useSelector(actor, selectNameProblem)
  const offersChoices = offers(useUser(), 'reply-buttons')
  const blockedReason = useSelector(actor, selectBlockedReason)
  const pictures = useSelector(actor, selectPictures)
  const sendsPictures = useSendsPictures()
  const id = useId()
  return (
    <FormFrame
      {...frame}
      heading={t(isNew ? 'send.replyAddTitle' : 'send.replyEditTitle')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : t(isNew ? 'send.repliesAdd' : 'send.replyUpdate')}
    >
      <div className="grid gap-1">
        <Field
          label={t('send.replyName')}
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={savedReplyLimits.name}
          readOnly={saving}
          value={fields.name}
          error={nameProblem}
          describedBy={`${id}-name`}
          onChange={({ target }) => change({ name: target.value })}
        />
        <p id={`${id}-name`} className="text-2xs text-ink-3">
          {t('send.replyNameHint')}
        </p>
      </div>
      <TextField fields={fields} saving={saving} onChange={change} />
      {pictures !== undefined && sendsPictures && (
        <PicturesField actor={pictures} pictures={fields.pictures} saving={saving} />
      )}
      {offersChoices && (
        <ChoicesField fields={fields.choices} saving={saving} onChange={(choices) => change({ choices })} />
      )}
      <PagesField fields={fields} saving={saving} onChange={change} />
    </FormFrame>
  )
}

function TextField({ fields: { text, isForAllPages, pageIds, pictures }, saving, onChange }: PartProps) {
  const id = useId()
  const isRequired = pictures.length === 0
  const box = useRef<HTMLTextAreaElement>(null)
  const { pages } = usePages()
  const page = pages?.find(({ page_id }) => isForAllPages || pageIds.includes(page_id))
  const business = useBusiness()
  const values = {
    first_name: t('send.exampleFirstName'),
    balance: formatMoney(125_000, business),
    order_number: t('send.exampleOrderNumber'),
    page: safeName(page?.page_name ?? '') || t('send.examplePage'),
  }
  const [unknown] = unknownVariablesIn(text)
  const insert = (variable: string) => {
    const field = box.current
    const range = { start: field?.selectionStart ?? text.length, end: field?.selectionEnd ?? text.length }
    const next = withInsertion(text, range, `{${variable}}`)
    onChange({ text: next.text })
    selectText(field, next.selection)
  }
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required={isRequired}>
        {t('send.replyText')}
      </FieldLabel>
      <textarea
        ref={box}
        id={id}
        required={isRequired}
        dir="auto"
        rows={5}
        maxLength={savedReplyLimits.text}
        readOnly={saving}
        aria-describedby={`${id}-hint`}
        className="min-h-24 w-full resize-y rounded-ui border border-edge bg-panel px-3 py-2 text-ink"
        value={text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <div className="flex flex-wrap items-center gap-1.5">
        <span id={`${id}-variables`} className="text-2xs text-ink-3">
          {t('send.replyVariables')}
        </span>
        {variables.map((variable) => (
          <Button
            key={variable}
            className="h-7 px-2 text-xs"
            disabled={saving}
            aria-describedby={`${id}-variables`}
            onClick={() => insert(variable)}
          >
            {variableName(variable)}
          </Button>
        ))}
      </div>
      <p id={`${id}-hint`} role="status" className="text-2xs text-warn">
        {unknown !== undefined && <span className="block">{t('send.replyUnknownVariable', { name: unknown })}</span>}
        {!fitsInMessage(text, 'instagram') && <span className="block">{t('send.replyTooLongForInstagram')}</span>}
      </p>
      {text.trim() !== '' && (
        <figure className="mt-1 grid gap-1">
          <figcaption className="text-2xs text-ink-3">{t('send.replyPreview')}</figcaption>
          <p
            dir="auto"
            className="whitespace-pre-line rounded-ui bg-sunken px-3 py-2 text-ink-2 [overflow-wrap:anywhere]"
          >
            <FilledReply text={safeLines(text)} values={values} />
          </p>
        </figure>
      )}
    </div>
  )
}

/** The text as a bubble shows it, with its line breaks. */
const safeLines = (text: string): string => text.split('\n').map(safeText).join('\n')

function PagesField({ fields: { isForAllPages, pageIds }, saving, onChange }: PartProps) {
  const { pages } = usePages()
  const known = pages ?? []
  // A page that is not connected any more can be removed.
  const gone = pageIds.filter((id) => !known.some((page) => page.page_id === id))
  const choices = [
    ...known.map((page) => ({ id: page.page_id, name: safeName(page.page_name) || page.page_id })),
    ...gone.map((id) => ({ id, name: id })),
  ]
  return (
    <fieldset className="grid gap-1" disabled={saving}>
      <legend className="mb-1 font-medium text-xs">{t('send.replyPages')}</legend>
      <Check checked={isForAllPages} onChange={(checked) => onChange({ isForAllPages: checked })}>
        {t('send.replyAllPages')}
      </Check>
      {!isForAllPages &&
        choices.map(({ id, name }) => (
          <Check
            key={id}
            checked={pageIds.includes(id)}
            onChange={(checked) =>
              onChange({ pageIds: checked ? [...pageIds, id] : pageIds.filter((one) => one !== id) })
            }
          >
            <bdi>{name}</bdi>
          </Check>
        ))}
    </fieldset>
  )
}

type CheckProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2 touch:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </label>
  )
}
