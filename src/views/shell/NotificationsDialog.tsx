import { useId } from 'react'
import { wantsComments } from '../../domain/list/notices.ts'
import { offers } from '../../domain/session/features.ts'
import { withDay } from '../../domain/shell/notification-form.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { notificationSettings } from '../../machines/shell/notification-settings.ts'
import { selectPermission } from '../../machines/shell/notifications.ts'
import { selectPushDevice } from '../../machines/shell/push.ts'
import type { NotificationSettings } from '../../schemas/notification-settings.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field } from '../components/Field.tsx'
import { nameOfDay, week } from '../components/week.ts'
import { Check, Group, SettingsDialog } from '../SettingsDialog.tsx'
import { useUser } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

const about = [
  ['mine', 'shell.noticesMine'],
  ['unassigned', 'shell.noticesUnassigned'],
  ['others', 'shell.noticesOthers'],
  ['mentions', 'shell.noticesMentions'],
] as const

const advice = {
  unknown: null,
  undecided: 'shell.noticesUndecided',
  asking: 'shell.noticesAsking',
  granted: null,
  denied: 'shell.noticesDenied',
  unsupported: 'shell.noticesUnsupported',
} as const

/** The notification settings of the signed-in person. */
export default function NotificationsDialog(props: DialogProps<'notifications'>) {
  return (
    <SettingsDialog
      {...props}
      form={notificationSettings}
      texts={{
        loading: t('shell.noticesLoading'),
        failed: t('shell.noticesFailed'),
        overtaken: t('shell.noticesOvertaken'),
        save: t('shell.noticesSave'),
      }}
      className="w-120"
    >
      {(settings, saving) => <Choices actor={props.actor} settings={settings} disabled={saving} />}
    </SettingsDialog>
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
  const { timeZone } = useSelector(actor, notificationSettings.selectFacts)
  const desktop = useId()
  const edit = (change: Partial<NotificationSettings>) =>
    actor.send({ type: 'settings.edited', settings: { ...settings, ...change } })
  const { quiet } = settings
  const hasComments = offers(useUser(), 'comments')
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
        {hasComments && (
          <Check
            isChecked={wantsComments(settings)}
            onChange={(comments) => edit({ comments })}
            label={t('shell.noticesComments')}
          />
        )}
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
      <Device />
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

const deviceAdvice = {
  checking: null,
  off: 'shell.pushOff',
  subscribing: 'shell.noticesAsking',
  on: 'shell.pushOn',
  unsubscribing: 'shell.pushOn',
  failed: 'shell.pushFailed',
  denied: 'shell.noticesDenied',
  uninstalled: 'shell.pushUninstalled',
  unsupported: 'shell.pushUnsupported',
} as const

/** Whether this browser is notified while the inbox is closed. Not part of the settings: it holds at once. */
function Device() {
  const push = usePart('push')
  const device = useSelector(push, (snapshot) => (snapshot ? selectPushDevice(snapshot) : null))
  const advice = useId()
  if (push === undefined || device === null) return null
  const isOn = device === 'on' || device === 'unsubscribing'
  const isBusy = device === 'subscribing' || device === 'unsubscribing'
  const explained = deviceAdvice[device]
  return (
    <Group name={t('shell.pushTitle')} disabled={false}>
      {explained !== null && (
        <p id={advice} role={device === 'failed' ? 'alert' : 'status'} className="text-ink-2 text-xs">
          {t(explained)}
        </p>
      )}
      {(isOn || isBusy || device === 'off' || device === 'failed') && (
        <Button
          className="w-fit"
          disabled={isBusy}
          aria-describedby={advice}
          onClick={() => push.send({ type: isOn ? 'push.disabled' : 'push.enabled' })}
        >
          {t(isOn ? 'shell.pushDisable' : 'shell.pushEnable')}
        </Button>
      )}
    </Group>
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
