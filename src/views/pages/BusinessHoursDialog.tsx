import { ChevronDown, CopyCheck, Plus, X } from 'lucide-react'
import { useId } from 'react'
import { clockText } from '../../domain/clock-text.ts'
import {
  endsNextDay,
  hoursOf,
  hoursProblem,
  isHolidayFull,
  isSpanFull,
  withChangedHoliday,
  withChangedSpan,
  withHoliday,
  withHours,
  withoutHoliday,
  withoutSpan,
  withSpan,
} from '../../domain/pages/hours-form.ts'
import { safeName } from '../../domain/shown-text.ts'
import { businessHours } from '../../machines/pages/business-hours.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { businessHoursLimits, type PageHours } from '../../schemas/business-hours.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { FieldLabel, TextInput } from '../components/Field.tsx'
import { UnfilledVariable } from '../components/UnfilledVariable.tsx'
import { nameOfDay, week } from '../components/week.ts'
import { Check, SettingsDialog } from '../SettingsDialog.tsx'
import { usePages } from '../use-pages.ts'
import { useSelector } from '../use-selector.ts'

/** The business hours and the away answer of each page. */
export default function BusinessHoursDialog(props: DialogProps<'businessHours'>) {
  const { pages } = usePages()
  const { timeZone } = useSelector(props.actor, businessHours.selectFacts)
  return (
    <SettingsDialog
      {...props}
      form={businessHours}
      texts={{
        loading: t('pages.hoursLoading'),
        failed: t('pages.hoursFailed'),
        overtaken: t('pages.hoursOvertaken'),
        save: t('pages.hoursSave'),
      }}
      className="w-160"
    >
      {(settings, saving) => {
        const edit = (pageIds: readonly string[], hours: PageHours) =>
          props.actor.send({ type: 'settings.edited', settings: withHours(settings, pageIds, hours) })
        return (
          <fieldset disabled={saving}>
            <p className="px-4 py-3 text-ink-2 text-xs">{t('pages.hoursAdvice', { zone: timeZone })}</p>
            {pages.length === 0 && <p className="px-4 pb-4">{t('pages.hoursWithoutPages')}</p>}
            {pages.map(({ page_id, page_name }) => {
              const hours = hoursOf(settings, page_id)
              const problem = hoursProblem(hours)
              return (
                <details key={page_id} open={pages.length === 1} className="group border-line border-t">
                  <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 py-2 hover:bg-sunken">
                    <ChevronDown
                      size={15}
                      aria-hidden="true"
                      className="shrink-0 -rotate-90 text-ink-2 transition-transform group-open:rotate-0"
                    />
                    <bdi className="min-w-0 flex-1 truncate font-semibold">{safeName(page_name)}</bdi>
                    {problem !== null && <span className="text-bad text-xs">{t('pages.hoursIncomplete')}</span>}
                    <span className="shrink-0 text-ink-2 text-xs">
                      {t(hours.is_on ? 'pages.hoursOn' : 'pages.hoursOff')}
                    </span>
                  </summary>
                  <HoursOfPage
                    hours={hours}
                    problem={problem}
                    onChange={(changed) => edit([page_id], changed)}
                    onUseForAll={
                      pages.length > 1
                        ? () =>
                            edit(
                              pages.map((page) => page.page_id),
                              hours,
                            )
                        : null
                    }
                  />
                </details>
              )
            })}
          </fieldset>
        )
      }}
    </SettingsDialog>
  )
}

type HoursProps = { hours: PageHours; onChange: (hours: PageHours) => void }
type HoursOfPageProps = HoursProps & { problem: string | null; onUseForAll: (() => void) | null }

function HoursOfPage({ hours, problem, onChange, onUseForAll }: HoursOfPageProps) {
  const text = useId()
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4">
      <Check
        label={t('pages.awayOn')}
        isChecked={hours.is_on}
        onChange={(isOn) => onChange({ ...hours, is_on: isOn })}
      />
      <div className="grid gap-1">
        <FieldLabel htmlFor={text}>{t('pages.awayText')}</FieldLabel>
        <textarea
          id={text}
          dir="auto"
          rows={3}
          aria-describedby={`${text}-hint`}
          className="min-h-20 w-full resize-y rounded-ui border border-edge bg-panel px-3 py-2 text-ink"
          value={hours.text}
          onChange={({ target }) => onChange({ ...hours, text: target.value })}
        />
        <p id={`${text}-hint`} className="text-2xs text-ink-3">
          {t('pages.awayHint')}
          <UnfilledVariable text={hours.text} />
        </p>
      </div>
      <Week hours={hours} onChange={onChange} />
      <Holidays hours={hours} onChange={onChange} />
      {problem !== null && (
        <p role="status" className="text-bad text-xs">
          {problem}
        </p>
      )}
      {onUseForAll !== null && (
        <Button className="justify-self-start" onClick={onUseForAll}>
          <CopyCheck size={15} aria-hidden="true" />
          {t('pages.hoursForAll')}
        </Button>
      )}
    </div>
  )
}

function Week({ hours, onChange }: HoursProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-xs">{t('pages.hoursOf')}</legend>
      <ul className="grid gap-1">
        {week.map((day) => {
          const spans = hours.spans.flatMap((span, index) => (span.day === day ? [{ span, index }] : []))
          const long = nameOfDay(day, 'long')
          return (
            <li key={day} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] items-start gap-x-2">
              <span className="py-2 text-xs">{nameOfDay(day, 'short')}</span>
              {/* On a phone two times and a button need the whole width. */}
              <div className={classNames('grid gap-1', spans.length > 0 && 'max-sm:col-span-3 max-sm:row-start-2')}>
                {spans.length === 0 && <span className="py-2 text-ink-3 text-xs">{t('pages.closedThatDay')}</span>}
                {spans.map(({ span, index }) => (
                  <div key={index} className="flex flex-wrap items-center gap-1">
                    <TextInput
                      type="time"
                      aria-label={t('pages.spanFrom', { day: long })}
                      className="w-32! px-2! max-sm:w-auto! max-sm:flex-1"
                      value={span.from}
                      onChange={({ target }) => onChange(withChangedSpan(hours, index, { from: target.value }))}
                    />
                    <span aria-hidden="true">–</span>
                    <TextInput
                      type="time"
                      aria-label={t('pages.spanTo', { day: long })}
                      className="w-32! px-2! max-sm:w-auto! max-sm:flex-1"
                      value={span.to}
                      onChange={({ target }) => onChange(withChangedSpan(hours, index, { to: target.value }))}
                    />
                    <IconButton
                      label={t('pages.removeSpan', { day: long, from: clockText(span.from), to: clockText(span.to) })}
                      onClick={() => onChange(withoutSpan(hours, index))}
                    >
                      <X size={15} aria-hidden="true" />
                    </IconButton>
                    {endsNextDay(span) && <span className="text-ink-2 text-xs">{t('pages.nextDay')}</span>}
                  </div>
                ))}
              </div>
              <IconButton
                label={t('pages.addSpan', { day: long })}
                className="col-start-3"
                disabled={isSpanFull(hours)}
                onClick={() => onChange(withSpan(hours, day))}
              >
                <Plus size={15} aria-hidden="true" />
              </IconButton>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

function Holidays({ hours, onChange }: HoursProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium text-xs">{t('pages.holidaysOf')}</legend>
      {hours.holidays.map((holiday, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: holidays have no ids and keep their order
        <div key={index} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TextInput
            type="date"
            aria-label={t('pages.holidayDate')}
            className="w-36! px-2!"
            value={holiday.date}
            onChange={({ target }) => onChange(withChangedHoliday(hours, index, { date: target.value }))}
          />
          <TextInput
            aria-label={t('pages.holidayName')}
            placeholder={t('pages.holidayName')}
            maxLength={businessHoursLimits.name}
            className="w-40! flex-1"
            value={holiday.name}
            onChange={({ target }) => onChange(withChangedHoliday(hours, index, { name: target.value }))}
          />
          <Check
            label={t('pages.everyYear')}
            isChecked={holiday.is_yearly}
            onChange={(isYearly) => onChange(withChangedHoliday(hours, index, { is_yearly: isYearly }))}
          />
          <IconButton
            label={t('pages.removeHoliday', { name: holiday.name || holiday.date })}
            onClick={() => onChange(withoutHoliday(hours, index))}
          >
            <X size={15} aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      <Button
        className="justify-self-start"
        disabled={isHolidayFull(hours)}
        onClick={() => onChange(withHoliday(hours))}
      >
        <Plus size={15} aria-hidden="true" />
        {t('pages.addHoliday')}
      </Button>
    </fieldset>
  )
}
