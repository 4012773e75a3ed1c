import { useSelector } from '@xstate/react'
import { useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type faqMachine, selectAskedAbout, selectForm, selectIsDeleting } from '../../machines/faq.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { DialogFrame } from './DialogFrame.tsx'
import { FaqForm } from './FaqForm.tsx'
import { FaqList } from './FaqList.tsx'

export type FaqActor = ActorRefFrom<typeof faqMachine>

/** What is answered automatically, and how that is tried out (spec section 2, FAQ Management modal). */
export default function FaqDialog({ actor, onDismiss }: { actor: FaqActor; onDismiss: () => void }) {
  const form = useSelector(actor, selectForm)
  const askedAbout = useSelector(actor, selectAskedAbout)
  const deleting = useSelector(actor, selectIsDeleting)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title="FAQ Management"
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-180 w-240 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <FaqList actor={actor} firstRef={first} />
      ) : (
        <FaqForm key={form.sessionId} actor={form} faq={actor} />
      )}
      {askedAbout !== null && (
        <ConfirmDialog
          title="Delete FAQ"
          question="Are you sure you want to delete this FAQ entry?"
          confirm={deleting ? 'Deleting...' : 'Delete'}
          isBusy={deleting}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        >
          <p dir="auto" className="rounded-ui bg-sunken px-3 py-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
            {askedAbout.title}
          </p>
        </ConfirmDialog>
      )}
    </DialogFrame>
  )
}
