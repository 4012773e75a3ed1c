import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const variants = {
  outline: 'border-line bg-panel text-ink enabled:hover:bg-sunken',
  ghost: 'border-transparent text-ink-2 enabled:hover:bg-sunken enabled:hover:text-ink',
  primary: 'border-accent bg-accent text-accent-ink enabled:hover:border-accent-strong enabled:hover:bg-accent-strong',
} as const

type ButtonProps = ComponentProps<'button'> & { variant?: keyof typeof variants }

/** The one button of the product; `type` is `button` unless a form says otherwise. */
export function Button({ variant = 'outline', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-ui border px-3 font-medium',
        'transition-colors disabled:opacity-55',
        variants[variant],
        className,
      )}
      {...rest}
    />
  )
}

type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'title' | 'children'> & { label: string; children: ReactNode }

/** A square button of one icon; the label is its name and its tooltip. */
export function IconButton({ label, className, variant = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Button
      variant={variant}
      aria-label={label}
      title={label}
      className={classNames('w-8 px-0', className)}
      {...rest}
    />
  )
}
