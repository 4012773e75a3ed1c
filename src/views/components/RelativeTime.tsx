import { useCallback } from 'react'
import { dateAndTime, relativeTime } from '../../domain/moments.ts'
import { useTimedText } from './clock.ts'

/** How long ago a moment was, kept current; the full date is its tooltip. */
export function RelativeTime({ moment, className }: { moment: string; className?: string }) {
  const text = useTimedText(useCallback((now) => relativeTime(moment, now), [moment]))
  return (
    <time dateTime={moment} title={dateAndTime(moment)} className={className}>
      {text}
    </time>
  )
}
