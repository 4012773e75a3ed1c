import type { ComponentProps, KeyboardEvent } from 'react'
import { classNames } from './class-names.ts'

/** Where the page draws the list (`theme.css`), its options have the focus. Escape then closes nothing but the list. */
const keepEscape = (event: KeyboardEvent) => {
  if (event.key === 'Escape' && event.target !== event.currentTarget) event.stopPropagation()
}

/** The browser's select with the product's styles. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <select
      className={classNames(
        'h-8 min-w-0 text-ellipsis rounded-ui border border-edge bg-panel pr-6 pl-2 font-medium text-ink text-xs touch:min-h-11 disabled:opacity-55',
        className,
      )}
      onKeyDown={keepEscape}
      {...rest}
    />
  )
}
