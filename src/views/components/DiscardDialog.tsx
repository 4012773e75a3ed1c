import { t } from '../../texts/shared-on-demand.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Answer = { type: 'discard.confirmed' } | { type: 'discard.refused' }

/** Asks whether to discard unsaved form input. `actor` is the actor of the form. */
export function DiscardDialog({ actor }: { actor: { send: (answer: Answer) => void } }) {
  return (
    <ConfirmDialog
      title={t('shared.discardChanges')}
      question={t('shared.discardQuestion')}
      confirm={t('shared.discard')}
      refuse={t('shared.keepEditing')}
      onConfirm={() => actor.send({ type: 'discard.confirmed' })}
      onCancel={() => actor.send({ type: 'discard.refused' })}
    />
  )
}
