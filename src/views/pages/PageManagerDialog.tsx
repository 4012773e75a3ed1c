import { type RefObject, useRef } from 'react'
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
import { t } from '../../texts/pages-on-demand.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { PageForm } from './PageForm.tsx'
import { PageList } from './PageList.tsx'

/** The connected social pages and their tokens (spec section 2, Page Manager modal). */
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
      <Deletion actor={actor} focusAfter={first} />
    </DialogFrame>
  )
}

type DeletionProps = { actor: PageManagerActor; focusAfter: RefObject<HTMLElement | null> }

function Deletion({ actor, focusAfter }: DeletionProps) {
  const step = useSelector(actor, selectDeletionStep)
  const page = useSelector(actor, selectPage)
  const deletion = useSelector(actor, selectDeletion)
  if (step === null || page === null) return null
  return (
    <ConfirmDialog
      title={t('pages.deletePage')}
      question={t('pages.deleteQuestion', { page: safeName(page.page_name) })}
      confirm={step === 'deleting' ? t('shared.deleting') : t('pages.deletePage')}
      isWaiting={step === 'lookingUp'}
      isBusy={step === 'deleting'}
      focusAfter={focusAfter}
      onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
      onCancel={() => actor.send({ type: 'deletion.cancelled' })}
    >
      <div role="status" className="min-h-16 rounded-ui bg-sunken px-3 py-2 text-ink-2 text-xs">
        {step === 'lookingUp' && t('pages.lookingUp')}
        {step === 'unknown' && t('pages.notLookedUp')}
        {deletion !== null && <Touched deletion={deletion} />}
      </div>
    </ConfirmDialog>
  )
}

/** Lists what is deleted together with the page, one kind per line. Omits empty kinds; if all are empty, says so. */
function Touched({ deletion }: { deletion: PageDeletion }) {
  const { conversations, shared_conversations: shared, messages, unsent_messages: unsent } = deletion
  const lines = [
    conversations > 0 && t('pages.conversationsGo', { count: conversations }),
    messages > 0 && t('pages.messagesGo', { count: messages }),
    shared > 0 && t('pages.conversationsStay', { count: shared }),
    unsent > 0 && t('pages.unsentGo', { count: unsent }),
  ].filter((line) => line !== false)
  if (lines.length === 0) return t('pages.nothingGoes')
  return (
    <ul className="grid gap-0.5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
