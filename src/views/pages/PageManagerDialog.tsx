import { useSelector } from '@xstate/react'
import { useRef } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import {
  type PageManagerActor,
  selectDeletion,
  selectDeletionStep,
  selectPage,
  selectPageForm,
} from '../../machines/pages/page-manager.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { PageDeletion } from '../../schemas/page.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { PageForm } from './PageForm.tsx'
import { PageList } from './PageList.tsx'

/** The connected pages and their tokens (spec section 2, Page Manager modal). */
export default function PageManagerDialog({ actor, title, onDismiss }: DialogProps<'pageManager'>) {
  const form = useSelector(actor, selectPageForm)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-160 w-160 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <PageList actor={actor} firstRef={first} />
      ) : (
        <PageForm key={form.sessionId} actor={form} />
      )}
      <Deletion actor={actor} />
    </DialogFrame>
  )
}

function Deletion({ actor }: { actor: PageManagerActor }) {
  const step = useSelector(actor, selectDeletionStep)
  const page = useSelector(actor, selectPage)
  const deletion = useSelector(actor, selectDeletion)
  if (step === null || page === null) return null
  return (
    <ConfirmDialog
      title="Delete page"
      question={`Are you sure you want to delete "${safeName(page.page_name)}"? This action cannot be undone.`}
      confirm={step === 'deleting' ? 'Deleting...' : 'Delete page'}
      isWaiting={step === 'lookingUp'}
      isBusy={step === 'deleting'}
      onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
      onCancel={() => actor.send({ type: 'deletion.cancelled' })}
    >
      <div role="status" className="min-h-16 rounded-ui bg-sunken px-3 py-2 text-ink-2 text-xs">
        {step === 'lookingUp' && 'Looking up what goes with it...'}
        {step === 'unknown' && 'What goes with it could not be looked up: its conversations and messages do.'}
        {deletion !== null && <Touched deletion={deletion} />}
      </div>
    </ConfirmDialog>
  )
}

const count = new Intl.NumberFormat()
const counted = (number: number, one: string, many: string) => `${count.format(number)} ${number === 1 ? one : many}`

/** What goes with the page, each on its line; what there is none of is not spoken of, but that nothing goes. */
function Touched({ deletion }: { deletion: PageDeletion }) {
  const { conversations, shared_conversations: shared, messages, unsent_messages: unsent } = deletion
  const lines = [
    conversations > 0 && `${counted(conversations, 'conversation goes', 'conversations go')} with it`,
    messages > 0 && `${counted(messages, 'message goes', 'messages go')} with it`,
    shared > 0 && `${counted(shared, 'conversation stays', 'conversations stay')}, without this page's part`,
    unsent > 0 && `${counted(unsent, 'message', 'messages')} not confirmed as sent will not be sent`,
  ].filter((line) => line !== false)
  if (lines.length === 0) return 'No conversation and no message goes with it.'
  return (
    <ul className="grid gap-0.5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
