import { useCallback } from 'react'
import { dateAndTime, relativeTime } from '../../domain/moments.ts'
import { useTimedText } from './clock.ts'

/** Shows the time since a moment and keeps it current. The tooltip is the full date. */
export function RelativeTime({ moment, className }: { moment: string; className?: string }) {
  const text = useTimedText(useCallback((now) => relativeTime(moment, now), [moment]))
  return (
    <time dateTime={moment} title={dateAndTime(moment)} className={className}>
      {text}
    </time>
  )
}
