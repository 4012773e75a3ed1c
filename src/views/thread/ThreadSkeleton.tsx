import { t } from '../../texts/thread.ts'
import { classNames } from '../components/class-names.ts'
import { Skeleton } from '../components/Skeleton.tsx'

const shapes = [
  { width: 'w-56', own: false },
  { width: 'w-72', own: true },
  { width: 'w-40', own: false },
  { width: 'w-64', own: false },
  { width: 'w-48', own: true },
] as const

/** The placeholder of a thread that is loading. */
export function ThreadSkeleton() {
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end gap-4 overflow-hidden px-5 py-4">
      <p role="status" className="sr-only">
        {t('thread.loading')}
      </p>
      {shapes.map(({ width, own }) => (
        <Skeleton
          key={width}
          shape="box"
          className={classNames('h-9 max-w-[80%] shrink-0', width, own && 'self-end')}
        />
      ))}
    </div>
  )
}
