import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const tones = {
  accent: 'rounded-full bg-accent font-semibold text-accent-ink',
  neutral: 'rounded-tag bg-sunken font-medium text-ink-2',
  ok: 'rounded-tag bg-ok-soft font-medium text-ok',
  warn: 'rounded-tag bg-warn-soft font-medium text-warn',
  bad: 'rounded-tag bg-bad-soft font-medium text-bad',
} as const

type BadgeProps = { tone?: keyof typeof tones; title?: string; children: ReactNode }

/** A short label or a count. The title is the full text. */
export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex h-4.75 min-w-4.75 shrink-0 items-center justify-center gap-1 whitespace-nowrap px-1.5 text-2xs',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
