import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type LabelManagerActor,
  selectAskedAbout,
  selectForm,
  selectIsCounting,
  selectIsDeleting,
  selectItem,
  selectUsage,
} from '../../machines/list/label-manager.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { useLabels } from '../use-labels.ts'
import { useSelector } from '../use-selector.ts'
import { LabelChip } from './LabelChip.tsx'
import { LabelForm } from './LabelForm.tsx'

/** The dialog in which labels are created, changed and deleted. */
export default function LabelManagerDialog({ actor, title, onDismiss }: DialogProps<'labelManager'>) {
  const form = useSelector(actor, selectForm)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={first}
      className="h-140 w-140 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <LabelList actor={actor} firstRef={first} />
      ) : (
        <LabelForm key={form.sessionId} actor={form} />
      )}
      <DeleteQuestion actor={actor} focusAfter={first} />
    </DialogFrame>
  )
}

type ListProps = { actor: LabelManagerActor; firstRef: React.RefObject<HTMLButtonElement | null> }

function LabelList({ actor, firstRef }: ListProps) {
  const labels = useLabels()
  const list = useRef<HTMLUListElement>(null)
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = selectItem(actor.getSnapshot())
    if (edited !== null) list.current?.querySelector<HTMLElement>(`[data-label="${CSS.escape(edited.id)}"]`)?.focus()
    else if (firstRef.current?.isConnected) firstRef.current.focus()
  }, [actor, firstRef])
  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-4 py-3">
        <Button
          ref={firstRef}
          variant="primary"
          disabled={labels.length >= labelLimits.labels}
          onClick={() => actor.send({ type: 'item.added' })}
        >
          <Plus size={15} aria-hidden="true" />
          {t('list.labelNew')}
        </Button>
      </div>
      {labels.length === 0 ? (
        <p className="px-4 py-8 text-center text-ink-2">{t('list.labelNone')}</p>
      ) : (
        <ul ref={list} aria-label={t('list.labels')} className="scroller min-h-0 flex-1">
          {labels.map((label) => {
            const name = labelNameOf(label)
            return (
              <li key={label.id} className="flex items-center gap-2 border-line border-b px-4 py-2 last:border-b-0">
                <span className="grid min-w-0 flex-1 justify-items-start gap-1">
                  <LabelChip label={label} className="max-w-full" />
                  {label.keywords.length > 0 && (
                    <span className="max-w-full truncate text-2xs text-ink-2">
                      {t('list.labelKeywords')}: {label.keywords.map(safeName).join(', ')}
                    </span>
                  )}
                </span>
                <IconButton
                  data-label={label.id}
                  label={t('shared.edit', { name })}
                  onClick={() => actor.send({ type: 'item.edited', item: label })}
                >
                  <Pencil size={15} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('shared.deleteNamed', { name })}
                  onClick={() => actor.send({ type: 'deletion.requested', item: label })}
                >
                  <Trash2 size={15} aria-hidden="true" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

type QuestionProps = { actor: LabelManagerActor; focusAfter: React.RefObject<HTMLButtonElement | null> }

function DeleteQuestion({ actor, focusAfter }: QuestionProps) {
  const askedAbout = useSelector(actor, selectAskedAbout)
  const usage = useSelector(actor, selectUsage)
  const counting = useSelector(actor, selectIsCounting)
  const deleting = useSelector(actor, selectIsDeleting)
  if (askedAbout === null) return null
  return (
    <ConfirmDialog
      title={t('list.labelDelete')}
      question={t('list.labelDeleteQuestion', { name: labelNameOf(askedAbout) })}
      confirm={deleting ? t('shared.deleting') : t('list.labelDelete')}
      isWaiting={counting}
      isBusy={deleting}
      focusAfter={focusAfter}
      onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
      onCancel={() => actor.send({ type: 'deletion.cancelled' })}
    >
      <p role="status" className="text-ink-2">
        {usage !== null
          ? t('list.labelUsage', usage)
          : counting
            ? t('list.labelCounting')
            : t('list.labelUsageUnknown')}
      </p>
    </ConfirmDialog>
  )
}
