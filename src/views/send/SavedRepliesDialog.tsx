import { useRef } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { savedReplyManager } from '../../machines/send/saved-reply-manager.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/send-on-demand.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { SavedReplyForm } from './SavedReplyForm.tsx'
import { SavedReplyList } from './SavedReplyList.tsx'

/** The dialog of saved replies: the list with the uses of each, and the form. */
export default function SavedRepliesDialog({ actor, title, onDismiss }: DialogProps<'savedReplyManager'>) {
  const form = useSelector(actor, savedReplyManager.selectForm)
  const askedAbout = useSelector(actor, savedReplyManager.selectAskedAbout)
  const deleting = useSelector(actor, savedReplyManager.selectIsDeleting)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-160 w-180 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <SavedReplyList actor={actor} firstRef={first} />
      ) : (
        <SavedReplyForm key={form.sessionId} actor={form} />
      )}
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('send.replyDelete')}
          question={t('send.replyDeleteQuestion', { name: safeName(askedAbout.name) })}
          confirm={deleting ? t('shared.deleting') : t('send.replyDelete')}
          isBusy={deleting}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        />
      )}
    </DialogFrame>
  )
}
