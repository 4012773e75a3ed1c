import { Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName } from '../../domain/shown-text.ts'
import { type savedFilterFormMachine, selectBlockedReason } from '../../machines/list/saved-filter-form.ts'
import {
  type SavedFilterManagerActor,
  selectAskedAbout,
  selectForm,
  selectIsDeleting,
  selectItem,
} from '../../machines/list/saved-filter-manager.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { savedFilterLimits } from '../../schemas/saved-filter.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'
import { useSavedFilters } from './use-saved-filters.ts'

/** The dialog in which saved filters are chosen, named, renamed and deleted. */
export default function SavedFilterManagerDialog({ actor, title, onDismiss }: DialogProps<'savedFilterManager'>) {
  const form = useSelector(actor, selectForm)
  const list = useRef<HTMLDivElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined}
      initialFocus={list}
      className="max-h-140 w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {form === undefined ? (
        <FilterList actor={actor} listRef={list} onDismiss={onDismiss} />
      ) : (
        <FilterForm key={form.sessionId} actor={form} />
      )}
      <DeleteQuestion actor={actor} focusAfter={list} />
    </DialogFrame>
  )
}

const goneTexts = {
  page: 'list.filterPageGone',
  label: 'list.filterLabelGone',
  member: 'list.filterMemberGone',
} as const

type ListProps = {
  actor: SavedFilterManagerActor
  listRef: RefObject<HTMLDivElement | null>
  onDismiss: () => void
}

function FilterList({ actor, listRef, onDismiss }: ListProps) {
  const { filters, apply, deletedPartOf } = useSavedFilters()
  // On return from the form, the button that opened the form no longer exists, so the focus must be set.
  useEffect(() => {
    const edited = selectItem(actor.getSnapshot())
    if (edited !== null)
      listRef.current?.querySelector<HTMLElement>(`[data-filter="${CSS.escape(edited.id)}"]`)?.focus()
  }, [actor, listRef])
  return (
    <div ref={listRef} tabIndex={-1} className="scroller min-h-0 flex-1 outline-none">
      {filters.length === 0 ? (
        <p className="px-4 py-8 text-center text-ink-2">{t('list.filterNone')}</p>
      ) : (
        <ul aria-label={t('list.savedFilters')}>
          {filters.map((filter) => {
            const name = safeName(filter.name)
            const deleted = deletedPartOf(filter)
            return (
              <li key={filter.id} className="flex items-center gap-2 border-line border-b px-4 py-2 last:border-b-0">
                <span className="grid min-w-0 flex-1 justify-items-start">
                  {deleted === null ? (
                    <Button
                      variant="ghost"
                      className="max-w-full justify-start text-ink"
                      onClick={() => {
                        apply(filter)
                        onDismiss()
                      }}
                    >
                      <bdi className="truncate">{name}</bdi>
                    </Button>
                  ) : (
                    <>
                      <bdi className="max-w-full truncate px-2.5 text-ink-2">{name}</bdi>
                      <span className="px-2.5 text-warn text-xs">{t(goneTexts[deleted])}</span>
                    </>
                  )}
                </span>
                <IconButton
                  data-filter={filter.id}
                  label={t('list.filterRename', { name })}
                  onClick={() => actor.send({ type: 'item.edited', item: filter })}
                >
                  <Pencil size={15} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={t('shared.deleteNamed', { name })}
                  onClick={() => actor.send({ type: 'deletion.requested', item: filter })}
                >
                  <Trash2 size={15} aria-hidden="true" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

function FilterForm({ actor }: { actor: ActorRefFrom<typeof savedFilterFormMachine> }) {
  const { fields, change, isNew, isSaving, frame } = useItemForm(actor)
  const blockedReason = useSelector(actor, selectBlockedReason)
  return (
    <FormFrame
      {...frame}
      heading={isNew ? t('list.filterSaveTitle') : t('list.filterRenameTitle')}
      blockedReason={blockedReason}
      submit={isSaving ? t('shared.saving') : t('list.rulesSave')}
    >
      <Field
        label={t('list.filterName')}
        required
        autoComplete="off"
        maxLength={savedFilterLimits.name}
        readOnly={isSaving}
        value={fields.name}
        onChange={({ target }) => change({ name: target.value })}
      />
    </FormFrame>
  )
}

type QuestionProps = { actor: SavedFilterManagerActor; focusAfter: RefObject<HTMLElement | null> }

function DeleteQuestion({ actor, focusAfter }: QuestionProps) {
  const askedAbout = useSelector(actor, selectAskedAbout)
  const deleting = useSelector(actor, selectIsDeleting)
  if (askedAbout === null) return null
  return (
    <ConfirmDialog
      title={t('list.filterDelete')}
      question={t('list.filterDeleteQuestion', { name: safeName(askedAbout.name) })}
      confirm={deleting ? t('shared.deleting') : t('list.filterDelete')}
      isBusy={deleting}
      focusAfter={focusAfter}
      onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
      onCancel={() => actor.send({ type: 'deletion.cancelled' })}
    />
  )
}
