import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

const variants = {
  outline: 'border-line bg-panel text-ink enabled:hover:bg-sunken',
  /** For a state that is on. */
  on: 'border-accent bg-accent-soft text-accent',
  ghost: 'border-transparent text-ink-2 enabled:hover:bg-sunken enabled:hover:text-ink',
  danger: 'border-bad bg-panel text-bad enabled:hover:bg-bad-soft',
  primary: 'border-accent bg-accent text-accent-ink enabled:hover:border-accent-strong enabled:hover:bg-accent-strong',
} as const

const shapes = { text: 'px-3', icon: 'w-8 touch:min-w-11' } as const

type ButtonProps = ComponentProps<'button'> & { variant?: keyof typeof variants; shape?: keyof typeof shapes }

/** The button component of the product. `type` defaults to `button`, so that a press submits no form by accident. */
export function Button({ variant = 'outline', shape = 'text', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex h-8 touch:min-h-11 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-ui border font-medium',
        'transition-colors disabled:opacity-55 aria-disabled:opacity-55',
        variants[variant],
        shapes[shape],
        className,
      )}
      {...rest}
    />
  )
}

type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'title' | 'shape'> & { label: string; children: ReactNode }

/** A square icon button. The label is its accessible name and its tooltip. */
export function IconButton({ label, variant = 'ghost', ...rest }: IconButtonProps) {
  return <Button variant={variant} shape="icon" aria-label={label} title={label} {...rest} />
}
