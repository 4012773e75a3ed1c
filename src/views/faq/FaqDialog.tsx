import { SpellCheck } from 'lucide-react'
import { useRef } from 'react'
import { offers } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectAskedAbout,
  selectDryRunActor,
  selectForm,
  selectIsDeleting,
  selectTest,
  selectWrongAnswersActor,
} from '../../machines/faq/faq.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useDialog, useMay, useMayOpen, useUser } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { FaqDryRun } from './FaqDryRun.tsx'
import { FaqForm } from './FaqForm.tsx'
import { FaqList } from './FaqList.tsx'
import { FaqTest } from './FaqTest.tsx'
import { FaqWrongAnswers } from './FaqWrongAnswers.tsx'

/** The FAQ entries for automatic replies, and the matching test (spec section 2, FAQ Management modal). */
export default function FaqDialog({ actor, title, onDismiss }: DialogProps<'faq'>) {
  const form = useSelector(actor, selectForm)
  const askedAbout = useSelector(actor, selectAskedAbout)
  const deleting = useSelector(actor, selectIsDeleting)
  const test = useSelector(actor, selectTest)
  const dryRun = useSelector(actor, selectDryRunActor)
  const wrongAnswers = useSelector(actor, selectWrongAnswersActor)
  const mayManage = useMay('faq.manage')
  const offersDryRun = offers(useUser(), 'faq-matching') && mayManage
  const mayOpenMatching = useMayOpen('faqMatching')
  const dialog = useDialog()
  const open = useOpenConversation()
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-180 w-280 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="grid min-h-0 flex-1 max-md:grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="flex min-h-0 min-w-0 flex-col max-md:order-2">
          {form !== undefined ? (
            <FaqForm key={form.sessionId} actor={form} faq={actor} />
          ) : wrongAnswers !== undefined ? (
            <FaqWrongAnswers
              actor={wrongAnswers}
              faq={actor}
              onOpen={(id) => {
                onDismiss()
                open(id)
              }}
            />
          ) : (
            <FaqList actor={actor} firstRef={first} />
          )}
        </div>
        {test && (
          <FaqTest actor={test} isEditing={form !== undefined}>
            {mayOpenMatching && form === undefined && (
              <Button
                className="mt-2"
                onClick={() => {
                  onDismiss()
                  dialog.send({ type: 'dialog.requested', dialog: { name: 'faqMatching' } })
                }}
              >
                <SpellCheck size={14} aria-hidden="true" />
                {t('faq.matching')}
              </Button>
            )}
            {offersDryRun && dryRun && <FaqDryRun actor={dryRun} faq={actor} />}
          </FaqTest>
        )}
      </div>
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('faq.deleteFaq')}
          question={t('faq.deleteQuestion')}
          confirm={deleting ? t('shared.deleting') : t('faq.delete')}
          isBusy={deleting}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        >
          <p dir="auto" className="rounded-ui bg-sunken px-3 py-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
            {safeName(askedAbout.title)}
          </p>
        </ConfirmDialog>
      )}
    </DialogFrame>
  )
}
