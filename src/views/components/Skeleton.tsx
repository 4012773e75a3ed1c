import { classNames } from './class-names.ts'

const shapes = { line: 'rounded-tag', box: 'rounded-ui', disc: 'rounded-full' } as const

type SkeletonProps = { shape?: keyof typeof shapes; className: string }

/** A placeholder that reserves the space of content that is still loading. */
export function Skeleton({ shape = 'line', className }: SkeletonProps) {
  return <span aria-hidden="true" className={classNames('block animate-breathe bg-line', shapes[shape], className)} />
}
