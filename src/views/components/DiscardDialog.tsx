import { t } from '../../texts/shared-on-demand.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Answer = { type: 'discard.confirmed' } | { type: 'discard.refused' }

type DiscardDialogProps = {
  /** The actor of the form. */
  actor: { send: (answer: Answer) => void }
  /** What is lost, and the label of the button that keeps it, if it was not typed. */
  question?: string
  refuse?: string
}

/** Asks whether to discard unsaved form input. */
export function DiscardDialog({
  actor,
  question = t('shared.discardQuestion'),
  refuse = t('shared.keepEditing'),
}: DiscardDialogProps) {
  return (
    <ConfirmDialog
      title={t('shared.discardChanges')}
      question={question}
      confirm={t('shared.discard')}
      refuse={refuse}
      onConfirm={() => actor.send({ type: 'discard.confirmed' })}
      onCancel={() => actor.send({ type: 'discard.refused' })}
    />
  )
}
