import { useId, useRef, useState } from 'react'
import { weekdayAndTime } from '../../domain/list/decision-texts.ts'
import { presetEnd, type SnoozePreset, snoozePresets } from '../../domain/list/snooze-times.ts'
import { selectConcerned } from '../../machines/list/state-dialog.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { StateDecision } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TextInput } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { ConcernedLine } from './ConcernedLine.tsx'

const names = {
  hour: 'list.snoozeHour',
  evening: 'list.snoozeEvening',
  tomorrow: 'list.snoozeTomorrow',
  monday: 'list.snoozeMonday',
} as const satisfies Record<SnoozePreset, string>

/** A local time in the form of an input of the type `datetime-local`. */
const inputValueOf = (time: number): string => {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The dialog in which the end of a snooze is chosen. */
export default function SnoozeDialog({ actor, title, onDismiss }: DialogProps<'snooze'>) {
  const choices = useRef<HTMLDivElement>(null)
  const concerned = useSelector(actor, selectConcerned)
  const [now] = useState(() => Date.now())
  const [typed, setTyped] = useState(() => inputValueOf((presetEnd('tomorrow', now) ?? new Date(now)).getTime()))
  const [isPast, setIsPast] = useState(false)
  const field = useId()
  const problem = useId()
  const decide = (snooze: Extract<StateDecision, { snooze: unknown }>['snooze']) =>
    actor.send({ type: 'decision.made', decision: { snooze } })
  const decideTyped = () => {
    const time = Date.parse(typed)
    if (Number.isNaN(time) || time <= Date.now()) setIsPast(true)
    else decide({ until: new Date(time).toISOString() })
  }
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={() => choices.current?.querySelector('button')}
      className="w-104 max-w-full"
    >
      <ConcernedLine ids={concerned} />
      <div ref={choices} className="scroller grid min-h-0 grid-cols-1 gap-1 p-2">
        {snoozePresets.map((preset) => {
          const end = presetEnd(preset, now)
          if (end === null) return null
          const until = end.toISOString()
          return (
            <Choice key={preset} note={weekdayAndTime(until)} onChoose={() => decide({ until })}>
              {t(names[preset])}
            </Choice>
          )
        })}
        <Choice onChoose={() => decide({ until: 'message' })}>{t('list.snoozeMessage')}</Choice>
        <Choice note={t('list.snoozeWindowNote')} onChoose={() => decide({ until: 'window' })}>
          {t('list.snoozeWindow')}
        </Choice>
        <form
          noValidate
          className="grid gap-2 border-line border-t p-2 pt-3"
          onSubmit={(event) => {
            event.preventDefault()
            decideTyped()
          }}
        >
          <label htmlFor={field} className="font-medium text-xs">
            {t('list.snoozeAt')}
          </label>
          <div className="flex flex-wrap gap-2">
            <TextInput
              id={field}
              type="datetime-local"
              className="flex-1 basis-56"
              min={inputValueOf(now)}
              value={typed}
              aria-invalid={isPast}
              aria-describedby={isPast ? problem : undefined}
              onChange={(event) => {
                setTyped(event.target.value)
                setIsPast(false)
              }}
            />
            <Button type="submit">{t('list.snoozeChosen')}</Button>
          </div>
          {isPast && (
            <p id={problem} role="alert" className="text-bad text-xs">
              {t('list.snoozePast')}
            </p>
          )}
        </form>
      </div>
    </DialogFrame>
  )
}

type ChoiceProps = { note?: string; onChoose: () => void; children: string }

function Choice({ note, onChoose, children }: ChoiceProps) {
  return (
    <Button variant="ghost" className="h-9 w-full justify-between! text-ink" onClick={onChoose}>
      <span>{children}</span>
      {note !== undefined && <span className="font-normal text-ink-2 text-xs">{note}</span>}
    </Button>
  )
}
