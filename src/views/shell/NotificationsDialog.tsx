import { type ReactNode, useId } from 'react'
import { withDay } from '../../domain/shell/notification-form.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import {
  selectAsksToDiscard,
  selectBlockedReason,
  selectHasFailed,
  selectIsOvertaken,
  selectIsSaving,
  selectSettings,
  selectTimeZone,
} from '../../machines/shell/notification-settings.ts'
import { selectPermission } from '../../machines/shell/notifications.ts'
import type { NotificationSettings } from '../../schemas/notification-settings.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { usePart } from '../use-colleagues.ts'
import { useSelector } from '../use-selector.ts'

const about = [
  ['mine', 'shell.noticesMine'],
  ['unassigned', 'shell.noticesUnassigned'],
  ['others', 'shell.noticesOthers'],
  ['mentions', 'shell.noticesMentions'],
] as const

/** The days of the week from Monday. */
const week = [1, 2, 3, 4, 5, 6, 0]

/** 4 January 1970 was a Sunday. */
const nameOfDay = (day: number, weekday: 'short' | 'long'): string =>
  new Intl.DateTimeFormat(undefined, { weekday, timeZone: 'UTC' }).format(Date.UTC(1970, 0, 4 + day))

const advice = {
  unknown: null,
  undecided: 'shell.noticesUndecided',
  asking: 'shell.noticesAsking',
  granted: null,
  denied: 'shell.noticesDenied',
  unsupported: 'shell.noticesUnsupported',
} as const

/** The notification settings of the signed-in person. */
export default function NotificationsDialog({ actor, title, onDismiss }: DialogProps<'notifications'>) {
  const settings = useSelector(actor, selectSettings)
  const hasFailed = useSelector(actor, selectHasFailed)
  const isOvertaken = useSelector(actor, selectIsOvertaken)
  const saving = useSelector(actor, selectIsSaving)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  const form = useId()
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="scroller min-h-0 flex-1">
        {settings === null ? (
          <div className="grid justify-items-start gap-3 p-4">
            <p role={hasFailed ? 'alert' : 'status'} className="text-ink-2">
              {hasFailed ? t('shell.noticesFailed') : t('shell.noticesLoading')}
            </p>
            {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
          </div>
        ) : (
          <form
            id={form}
            noValidate
            aria-label={title}
            onSubmit={(event) => {
              event.preventDefault()
              actor.send({ type: 'settings.submitted' })
            }}
          >
            <Choices actor={actor} settings={settings} disabled={saving} />
          </form>
        )}
      </div>
      {isOvertaken && (
        <p role="alert" className="border-line border-t bg-warn-soft px-4 py-2 text-warn text-xs">
          {t('shell.noticesOvertaken')}
        </p>
      )}
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button disabled={saving} onClick={onDismiss}>
          {t('shared.close')}
        </Button>
        <SubmitButton form={form} busy={saving} blockedReason={blockedReason}>
          {saving ? t('shared.saving') : t('shell.noticesSave')}
        </SubmitButton>
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </DialogFrame>
  )
}

type ChoicesProps = {
  actor: DialogProps<'notifications'>['actor']
  settings: NotificationSettings
  disabled: boolean
}

function Choices({ actor, settings, disabled }: ChoicesProps) {
  const notifications = usePart('notifications')
  const permission = useSelector(notifications, (snapshot) => (snapshot ? selectPermission(snapshot) : 'unknown'))
  const timeZone = useSelector(actor, selectTimeZone)
  const desktop = useId()
  const edit = (change: Partial<NotificationSettings>) =>
    actor.send({ type: 'settings.edited', settings: { ...settings, ...change } })
  const { quiet } = settings
  const editQuiet = (change: Partial<NotificationSettings['quiet']>) => edit({ quiet: { ...quiet, ...change } })
  const explained = advice[permission]
  return (
    <>
      <Group name={t('shell.noticesAbout')} disabled={disabled}>
        {about.map(([choice, text]) => (
          <Check
            key={choice}
            isChecked={settings[choice]}
            onChange={(isChecked) => edit({ [choice]: isChecked })}
            label={t(text)}
          />
        ))}
      </Group>
      <Group name={t('shell.noticesHow')} disabled={disabled}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Check isChecked={settings.sound} onChange={(sound) => edit({ sound })} label={t('shell.noticesSound')} />
          <Button onClick={() => notifications?.send({ type: 'sound.tested' })}>{t('shell.noticesTestSound')}</Button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Check
            isChecked={settings.desktop}
            onChange={(isOn) => edit({ desktop: isOn })}
            label={t('shell.noticesDesktop')}
            describedBy={explained === null ? undefined : desktop}
          />
          {(permission === 'undecided' || permission === 'asking') && (
            <Button
              disabled={permission === 'asking'}
              onClick={() => notifications?.send({ type: 'permission.requested' })}
            >
              {t('shell.noticesAllow')}
            </Button>
          )}
          {permission === 'granted' && (
            <Button onClick={() => notifications?.send({ type: 'notice.tested' })}>
              {t('shell.noticesTestDesktop')}
            </Button>
          )}
        </div>
        {explained !== null && (
          <p id={desktop} className="text-ink-2 text-xs">
            {t(explained)}
          </p>
        )}
        <Check
          isChecked={settings.showsText}
          onChange={(showsText) => edit({ showsText })}
          label={t('shell.noticesText')}
          note={t('shell.noticesTextAdvice')}
        />
      </Group>
      <Group name={t('shell.quietHours')} disabled={disabled}>
        <Check isChecked={quiet.isOn} onChange={(isOn) => editQuiet({ isOn })} label={t('shell.quietOn')} />
        {quiet.isOn && (
          <>
            <div className="grid grid-cols-2 gap-3">
              <Field
                label={t('shell.quietFrom')}
                type="time"
                required
                value={quiet.from}
                onChange={(event) => editQuiet({ from: event.target.value })}
              />
              <Field
                label={t('shell.quietTo')}
                type="time"
                required
                value={quiet.to}
                onChange={(event) => editQuiet({ to: event.target.value })}
              />
            </div>
            <fieldset>
              <legend className="mb-1 font-medium text-xs">{t('shell.quietDays')}</legend>
              <div className="flex flex-wrap gap-1">
                {week.map((day) => (
                  <Day
                    key={day}
                    day={day}
                    isChosen={quiet.days.includes(day)}
                    onChange={(isChosen) => editQuiet({ days: withDay(quiet.days, day, isChosen) })}
                  />
                ))}
              </div>
            </fieldset>
            <div className="flex flex-wrap items-center gap-2 text-ink-2 text-xs">
              {t('shell.quietZone', { zone: quiet.timeZone })}
              {quiet.timeZone !== timeZone && (
                <Button onClick={() => editQuiet({ timeZone })}>{t('shell.quietUseZone', { zone: timeZone })}</Button>
              )}
            </div>
          </>
        )}
      </Group>
    </>
  )
}

function Group({ name, disabled, children }: { name: string; disabled: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={disabled} className="border-line px-4 py-3 not-first:border-t">
      <legend className="float-left mb-2 w-full font-semibold">{name}</legend>
      <div className="clear-both grid gap-2">{children}</div>
    </fieldset>
  )
}

type CheckProps = {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  label: string
  note?: string
  describedBy?: string | undefined
}

function Check({ isChecked, onChange, label, note, describedBy }: CheckProps) {
  const own = useId()
  return (
    <div className="grid">
      <label className="flex w-fit cursor-pointer items-center gap-2 touch:min-h-11">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={isChecked}
          aria-describedby={note === undefined ? describedBy : own}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {note !== undefined && (
        <p id={own} className="pl-6 text-ink-2 text-xs">
          {note}
        </p>
      )}
    </div>
  )
}

type DayProps = { day: number; isChosen: boolean; onChange: (isChosen: boolean) => void }

function Day({ day, isChosen, onChange }: DayProps) {
  return (
    <label className="grid h-8 min-w-11 cursor-pointer place-items-center rounded-ui border border-edge px-2 text-xs has-checked:border-accent has-checked:bg-accent has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 touch:h-11">
      <input
        type="checkbox"
        className="sr-only"
        aria-label={nameOfDay(day, 'long')}
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
      />
      {nameOfDay(day, 'short')}
    </label>
  )
}
