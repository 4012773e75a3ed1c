import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import { selectOpenAlarmCount } from '../../machines/shell/alarms.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { IconButton } from '../components/Button.tsx'
import { useAlarmsActor, useDialog } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** Opens the list of incidents. Shows and announces how many last, if any. */
export default function AlarmBell() {
  const count = useSelector(useAlarmsActor(), selectOpenAlarmCount)
  const dialog = useDialog()
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  const name = count === 0 ? t('shell.alarms') : t('shell.alarmCount', { count })
  return (
    <>
      {/* A screen reader announces only changes, so the text follows after the element. An equal count is no change. */}
      <span role="status" className="sr-only">
        {isMounted && count > 0 && name}
      </span>
      <IconButton
        label={name}
        className="shrink-0"
        onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'alarms' } })}
      >
        <span className="relative">
          <Bell size={16} aria-hidden="true" />
          {count > 0 && (
            <span aria-hidden="true" className="absolute -top-3 left-2">
              <Badge tone="accent">{count}</Badge>
            </span>
          )}
        </span>
      </IconButton>
    </>
  )
}
