import { Check, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { changeOf, foundLabels, isNewName, labelNameOf, labelUseIn, shownUse } from '../../domain/list/label-use.ts'
import {
  selectChoices,
  selectHasFailed,
  selectIsCreating,
  selectIsSaving,
  selectTarget,
} from '../../machines/list/label-picker.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TextInput } from '../components/Field.tsx'
import { isComposing } from '../components/is-composing.ts'
import { useDialog } from '../use-inbox.ts'
import { useLabelRows, useLabels, useLabelsOffer } from '../use-labels.ts'
import { useSelector } from '../use-selector.ts'
import { ConcernedLine } from './ConcernedLine.tsx'
import { LabelDot } from './LabelChip.tsx'

/**
 * The dialog in which labels are put on and taken off. The focus stays in the search field: the arrow keys move through
 * the labels, Enter toggles one or creates what is typed. Closing applies what was chosen.
 */
export default function LabelsDialog({ actor, title, onDismiss }: DialogProps<'labels'>) {
  const target = useSelector(actor, selectTarget)
  const choices = useSelector(actor, selectChoices)
  const creating = useSelector(actor, selectIsCreating)
  const saving = useSelector(actor, selectIsSaving)
  const failed = useSelector(actor, selectHasFailed)
  const labels = useLabels()
  const rows = useLabelRows(target)
  const { mayManage } = useLabelsOffer()
  const dialog = useDialog()
  const [typed, setTyped] = useState('')
  const [place, setPlace] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  const id = useId()

  const found = foundLabels(labels, typed)
  const mayCreate = mayManage && isNewName(labels, typed)
  const count = found.length + (mayCreate ? 1 : 0)
  const active = Math.min(place, count - 1)
  /** There is nothing to choose, and only an administrator can change that. */
  const isForAdministrators = labels.length === 0 && !mayManage
  const none = labels.length === 0 && typed === '' ? 'list.labelNone' : 'list.labelNoneFound'
  const emptyText = isForAdministrators ? 'list.labelNoneForAgent' : none
  const optionId = (index: number) => `${id}-${index}`

  const toggle = (labelId: string) => actor.send({ type: 'label.toggled', id: labelId })
  const create = () => {
    actor.send({ type: 'label.created', name: typed, labels })
    setTyped('')
    setPlace(0)
  }
  const choose = (index: number) => {
    const label = found[index]
    if (label !== undefined) toggle(label.id)
    else if (mayCreate) create()
  }
  const move = (step: number) => {
    const next = (active + step + count) % count
    setPlace(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || count === 0) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') choose(active)
    else return
    event.preventDefault()
  }

  return (
    <DialogFrame title={title} onDismiss={onDismiss} initialFocus={search} className="w-80 max-w-full">
      {'ids' in target && <ConcernedLine ids={target.ids} />}
      <div className="shrink-0 border-line border-b p-3">
        <TextInput
          ref={search}
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={count > 0 ? optionId(active) : undefined}
          aria-label={mayManage ? t('list.labelSearchOrNew') : t('list.labelSearch')}
          placeholder={mayManage ? t('list.labelSearchOrNew') : t('list.labelSearch')}
          autoComplete="off"
          maxLength={labelLimits.name}
          value={typed}
          onChange={({ target: input }) => {
            setTyped(input.value)
            setPlace(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={id} role="listbox" aria-multiselectable="true" aria-label={title} className="scroller min-h-0 p-2">
        {found.map((label, index) => {
          const use = shownUse(choices, label.id, labelUseIn(rows, label.id))
          return (
            <Option
              key={label.id}
              id={optionId(index)}
              isActive={index === active}
              isSelected={use === 'all'}
              onChoose={() => {
                setPlace(index)
                toggle(label.id)
              }}
            >
              <span className="grid size-4.5 shrink-0 place-items-center rounded-tag border border-edge bg-panel text-accent">
                {use === 'all' && <Check size={13} aria-hidden="true" />}
                {use === 'some' && <Minus size={13} aria-hidden="true" />}
              </span>
              <LabelDot colour={label.colour} />
              <bdi className="truncate">{labelNameOf(label)}</bdi>
              {use === 'some' && <span className="sr-only">, {t('list.labelsOfSome')}</span>}
            </Option>
          )
        })}
        {mayCreate && (
          <Option
            id={optionId(found.length)}
            isActive={active === found.length}
            isSelected={false}
            onChoose={() => !creating && create()}
          >
            <Plus size={15} aria-hidden="true" className="shrink-0" />
            <bdi className="truncate">{t('list.labelCreate', { name: typed.trim() })}</bdi>
          </Option>
        )}
      </div>
      {count === 0 && (
        <p role="status" className="px-5 pb-4 text-ink-2">
          {t(emptyText)}
        </p>
      )}
      <footer className="flex shrink-0 items-center gap-2 border-line border-t p-2">
        {mayManage && (
          <Button
            variant="ghost"
            // A change of a client would keep the dialog open until it is saved.
            disabled={changeOf(choices) !== null}
            onClick={() => {
              onDismiss()
              dialog.send({ type: 'dialog.requested', dialog: { name: 'labelManager' } })
            }}
          >
            {t('list.manageLabels')}
          </Button>
        )}
        <span className="flex-1" />
        <Button
          variant="primary"
          disabled={saving || creating || isForAdministrators}
          onClick={() => (failed ? actor.send({ type: 'change.retried' }) : onDismiss())}
        >
          {creating
            ? t('list.labelCreating')
            : saving
              ? t('shared.saving')
              : failed
                ? t('list.labelsRetry')
                : t('list.labelsApply')}
        </Button>
      </footer>
    </DialogFrame>
  )
}

type OptionProps = {
  id: string
  isActive: boolean
  isSelected: boolean
  onChoose: () => void
  children: React.ReactNode
}

function Option({ id, isActive, isSelected, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the focus and handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the search field names the active option
    <div
      id={id}
      role="option"
      aria-selected={isSelected}
      className={classNames(
        'flex h-9 touch:h-11 cursor-pointer items-center gap-2.5 rounded-ui px-2.5',
        isActive ? 'bg-sunken' : 'hover:bg-sunken',
      )}
      // The focus stays in the search field.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      {children}
    </div>
  )
}
