import { ArrowLeft } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { contentOf, fieldsOf, filledTemplate, isFilled } from '../../domain/send/message-templates.ts'
import {
  selectAsksToDiscard,
  selectChosen,
  selectHasFailed,
  selectTemplates,
  selectValues,
} from '../../machines/send/message-templates.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { structuredLimits } from '../../schemas/structured-limits.ts'
import type { MessageTemplate } from '../../schemas/structured-message.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

type Actor = DialogProps<'messageTemplates'>['actor']

/** Chooses an approved template of the page, fills it in and sends it. */
export default function MessageTemplatesDialog({ actor, title, onDismiss }: DialogProps<'messageTemplates'>) {
  const chosen = useSelector(actor, selectChosen)
  const asks = useSelector(actor, selectAsksToDiscard)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={chosen !== null}
      className="w-150 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {chosen === null ? <TemplateList actor={actor} /> : <TemplateForm actor={actor} template={chosen} />}
      {asks && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}

function TemplateList({ actor }: { actor: Actor }) {
  const templates = useSelector(actor, selectTemplates)
  const failed = useSelector(actor, selectHasFailed)
  const list = useRef<HTMLDivElement>(null)
  // On return from the form, its buttons no longer exist, so the focus must be set.
  useEffect(() => {
    const { chosen } = actor.getSnapshot().context
    if (chosen !== null) list.current?.querySelector<HTMLElement>(`[data-template="${CSS.escape(chosen.id)}"]`)?.focus()
  }, [actor])
  if (failed)
    return <NotLoaded text={t('send.templatesNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
  if (templates === null || templates.length === 0)
    return (
      <p role="status" className="px-4 py-8 text-center text-ink-2">
        {t(templates === null ? 'send.templatesLoading' : 'send.templatesNone')}
      </p>
    )
  return (
    <div ref={list} className="scroller grid min-h-0 flex-1 content-start gap-3 p-4">
      <p className="text-ink-2 text-xs">{t('send.templatesWhy')}</p>
      <ul className="grid gap-2">
        {templates.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              data-template={template.id}
              className="grid w-full gap-1 rounded-ui border border-line px-3 py-2 text-left hover:bg-sunken"
              onClick={() => actor.send({ type: 'template.chosen', template })}
            >
              <span className="flex min-w-0 items-baseline gap-2">
                <bdi className="min-w-0 truncate font-semibold">{template.name}</bdi>
                <span className="shrink-0 text-2xs text-ink-3">{template.language}</span>
              </span>
              <span dir="auto" className="line-clamp-3 whitespace-pre-line text-ink-2 text-xs">
                {template.header !== null && <b className="block font-semibold">{template.header}</b>}
                {template.body}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function TemplateForm({ actor, template }: { actor: Actor; template: MessageTemplate }) {
  const values = useSelector(actor, selectValues)
  const id = useId()
  const first = useRef<HTMLFormElement>(null)
  useEffect(() => first.current?.querySelector<HTMLElement>('input, button[type=submit]')?.focus(), [])
  const { header, body } = filledTemplate(template, contentOf(template, values))
  return (
    <form
      ref={first}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'template.sent' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-3 p-4">
        {fieldsOf(template).map(({ key, name }) => (
          <Field
            key={key}
            type="text"
            required
            autoComplete="off"
            maxLength={structuredLimits.parameter}
            label={/^\d+$/.test(name) ? t('send.templateNumber', { number: name }) : name.replaceAll('_', ' ')}
            value={values[key] ?? ''}
            onChange={({ target }) => actor.send({ type: 'value.typed', key, value: target.value })}
          />
        ))}
        <h3 id={`${id}-preview`} className="font-medium text-xs">
          {t('send.templatePreview')}
        </h3>
        <section
          aria-labelledby={`${id}-preview`}
          dir="auto"
          className="grid w-fit max-w-full gap-1 rounded-ui bg-accent-soft px-3 py-2 [overflow-wrap:anywhere]"
        >
          {header !== null && <b className="font-semibold">{header}</b>}
          <p className="whitespace-pre-line">{body}</p>
          {template.buttons.map(({ title }) => (
            <span key={title} className="rounded-ui border border-line px-2 py-1 text-center text-accent text-xs">
              {title}
            </span>
          ))}
        </section>
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button onClick={() => actor.send({ type: 'template.left' })}>
          <ArrowLeft size={15} aria-hidden="true" />
          {t('send.templateOther')}
        </Button>
        <SubmitButton blockedReason={isFilled(template, values) ? null : t('send.templateMissing')} busy={false}>
          {t('send.templateSend')}
        </SubmitButton>
      </footer>
    </form>
  )
}
