import { t } from '../../texts/shared.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Answer = { type: 'discard.confirmed' } | { type: 'discard.refused' }

/** Asks whether what was typed into a form, and not saved, may go. `actor` is the form's. */
export function DiscardDialog({ actor }: { actor: { send: (answer: Answer) => void } }) {
  return (
    <ConfirmDialog
      title={t('shared.discardChanges')}
      question={t('shared.discardQuestion')}
      confirm={t('shared.discard')}
      onConfirm={() => actor.send({ type: 'discard.confirmed' })}
      onCancel={() => actor.send({ type: 'discard.refused' })}
    />
  )
}
