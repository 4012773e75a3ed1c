import { t } from '../../texts/client-on-demand.ts'
import { Skeleton } from '../components/Skeleton.tsx'

/** The placeholder of a client's statistics and orders. */
export function ClientDetailsSkeleton() {
  return (
    <div aria-busy="true" className="grid gap-3">
      <span className="sr-only">{t('client.loadingDetails')}</span>
      <div className="grid grid-cols-2 gap-2">
        <Skeleton shape="box" className="col-span-full h-18" />
        <Skeleton shape="box" className="h-15" />
        <Skeleton shape="box" className="h-15" />
        <Skeleton shape="box" className="col-span-full h-15" />
      </div>
      {['first', 'second', 'third'].map((name) => (
        <Skeleton key={name} className="h-9" />
      ))}
    </div>
  )
}
