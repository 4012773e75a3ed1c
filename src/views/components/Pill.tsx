import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

const dots = { ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad', idle: 'bg-ink-3' } as const

/** Shows a status as a colour and a word. */
export function Pill({ tone, className, children, ...rest }: ComponentProps<'span'> & { tone: keyof typeof dots }) {
  return (
    <span
      className={classNames(
        'inline-flex h-6.5 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full border border-line bg-panel px-2.5 font-medium text-xs',
        className,
      )}
      {...rest}
    >
      <span aria-hidden="true" className={classNames('size-1.75 rounded-full', dots[tone])} />
      {children}
    </span>
  )
}
