import { classNames } from './class-names.ts'

/** A shape that keeps the room of what is coming. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames('block animate-breathe rounded-tag bg-line', className)} />
}
