import { useRef } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { selectAskedAbout, selectForm, selectIsDeleting, selectTest } from '../../machines/faq/faq.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useSelector } from '../use-selector.ts'
import { FaqForm } from './FaqForm.tsx'
import { FaqList } from './FaqList.tsx'
import { FaqTest } from './FaqTest.tsx'

/** The FAQ entries for automatic replies, and the matching test (spec section 2, FAQ Management modal). */
export default function FaqDialog({ actor, title, onDismiss }: DialogProps<'faq'>) {
  const form = useSelector(actor, selectForm)
  const askedAbout = useSelector(actor, selectAskedAbout)
  const deleting = useSelector(actor, selectIsDeleting)
  const test = useSelector(actor, selectTest)
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
          {form === undefined ? (
            <FaqList actor={actor} firstRef={first} />
          ) : (
            <FaqForm key={form.sessionId} actor={form} faq={actor} />
          )}
        </div>
        {test && <FaqTest actor={test} isEditing={form !== undefined} />}
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
