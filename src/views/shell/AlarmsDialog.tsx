import { useId } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { safeText } from '../../domain/shown-text.ts'
import { selectAlarms, selectAlarmsHaveFailed } from '../../machines/shell/alarms.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { ShownAlarm } from '../../schemas/alarm.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useAlarmsActor } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** The incidents that last and those that ended: what happened, what to do, and when. */
export default function AlarmsDialog({ title, onDismiss }: DialogProps<'alarms'>) {
  const alarms = useAlarmsActor()
  const all = useSelector(alarms, selectAlarms)
  const failed = useSelector(alarms, selectAlarmsHaveFailed)
  const [open, ended] = [
    all.filter(({ ended_at }) => ended_at === null),
    all.filter(({ ended_at }) => ended_at !== null),
  ]
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className="w-130 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard */}
      <section aria-label={title} tabIndex={0} className="scroller grid min-h-0 content-start gap-4 p-4">
        {failed && (
          <div className="flex items-center justify-between gap-3 rounded-ui bg-sunken px-3 py-2">
            <p role="status">{t('shell.alarmsOld')}</p>
            <TryAgain className="shrink-0" onRetry={() => alarms.send({ type: 'refetch.requested' })} />
          </div>
        )}
        {open.length === 0 ? (
          <p>{t('shell.alarmsNone')}</p>
        ) : (
          <Incidents heading={t('shell.alarmsOpen')} incidents={open} />
        )}
        {ended.length > 0 && <Incidents heading={t('shell.alarmsEnded')} incidents={ended} />}
      </section>
    </DialogFrame>
  )
}

function Incidents({ heading, incidents }: { heading: string; incidents: readonly ShownAlarm[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h3 id={id} className="font-semibold">
        {heading}
      </h3>
      <ul className="grid gap-2">
        {incidents.map((incident) => (
          <li key={incident.id} className="grid gap-1 rounded-ui border border-line px-3 py-2">
            <p dir="auto" className="[overflow-wrap:anywhere]">
              {safeText(incident.text)}
            </p>
            <p className="text-ink-2 text-xs">{timesOf(incident)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function timesOf({ started_at, ended_at }: ShownAlarm): string {
  const from = dateAndTime(started_at)
  return ended_at === null
    ? t('shell.alarmSince', { from })
    : t('shell.alarmFromTo', { from, to: dateAndTime(ended_at) })
}
