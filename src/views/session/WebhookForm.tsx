import type { ActorRefFrom } from 'xstate'
import { webhookEventText } from '../../domain/session/webhook-text.ts'
import {
  selectWebhookBlockedReason,
  selectWebhookUrlProblem,
  type webhookFormMachine,
} from '../../machines/session/webhook-form.ts'
import { type WebhookEvent, webhookEvents, webhookLimits } from '../../schemas/webhook.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'

/** The form of a webhook. */
export function WebhookForm({ actor }: { actor: ActorRefFrom<typeof webhookFormMachine> }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const urlProblem = useSelector(actor, selectWebhookUrlProblem)
  const blockedReason = useSelector(actor, selectWebhookBlockedReason)
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    change({ events: webhookEvents.filter((each) => (each === event ? isChosen : fields.events.includes(each))) })
  return (
    <FormFrame
      {...frame}
      heading={t(isNew ? 'session.webhookAdd' : 'session.webhookEditTitle')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : t(isNew ? 'session.webhookAdd' : 'session.webhookUpdate')}
    >
      <Field
        label={t('session.webhookUrl')}
        required
        type="url"
        inputMode="url"
        spellCheck={false}
        maxLength={webhookLimits.url}
        readOnly={saving}
        value={fields.url}
        error={urlProblem}
        onChange={({ target }) => change({ url: target.value })}
      />
      <Field
        label={t('session.webhookDescription')}
        dir="auto"
        maxLength={webhookLimits.description}
        readOnly={saving}
        value={fields.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      <fieldset className="grid gap-1" disabled={saving}>
        <legend className="mb-1 text-ink-2 text-xs">{t('session.webhookEvents')}</legend>
        {webhookEvents.map((event) => (
          <Checkbox
            key={event}
            label={webhookEventText(event)}
            isChecked={fields.events.includes(event)}
            onChange={(isChosen) => choose(event, isChosen)}
          />
        ))}
      </fieldset>
      <fieldset disabled={saving}>
        <Checkbox
          label={t('session.webhookIsActive')}
          isChecked={fields.isActive}
          onChange={(isActive) => change({ isActive })}
        />
      </fieldset>
    </FormFrame>
  )
}

function Checkbox({
  label,
  isChecked,
  onChange,
}: {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}) {
  return (
    <label className="flex h-9 w-fit cursor-pointer items-center gap-2 touch:min-h-11">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={isChecked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  )
}
