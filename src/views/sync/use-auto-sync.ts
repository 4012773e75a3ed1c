import { useCallback } from 'react'
import { relativeTime } from '../../domain/moments.ts'
import {
  type AutoSyncState,
  selectAutoSyncState,
  selectIsForcing,
  selectKnownAt,
  selectStatus,
} from '../../machines/sync/auto-sync.ts'
import { t } from '../../texts/sync.ts'
import { useTimedText } from '../components/clock.ts'
import { useAutoSyncActor } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

export const autoSyncTones = {
  unknown: 'idle',
  old: 'idle',
  syncing: 'warn',
  on: 'ok',
  off: 'bad',
} as const satisfies Record<AutoSyncState, unknown>

/** When the status of the automatic sync was last loaded, in milliseconds; null if it never was. */
export const useKnownAt = () => useSelector(useAutoSyncActor(), selectKnownAt)

/** The status of the automatic sync in one word (spec section 2). An outdated status includes its age. */
export function useAutoSyncWord(): string {
  const state = useSelector(useAutoSyncActor(), selectAutoSyncState)
  const knownAt = useKnownAt()
  return useTimedText(
    useCallback(
      (now) => {
        if (state === 'old' && knownAt !== null) {
          return t('sync.lastChecked', { time: relativeTime(new Date(knownAt).toISOString(), now) })
        }
        return {
          unknown: t('sync.notKnown'),
          old: t('sync.notKnown'),
          syncing: t('sync.syncingNow'),
          on: t('sync.on'),
          off: t('sync.off'),
        }[state]
      },
      [state, knownAt],
    ),
  )
}

/** The status of the automatic sync, and a function that runs it now. */
export function useAutoSync() {
  const actor = useAutoSyncActor()
  return {
    state: useSelector(actor, selectAutoSyncState),
    status: useSelector(actor, selectStatus),
    forcing: useSelector(actor, selectIsForcing),
    force: useCallback(() => actor.send({ type: 'force.requested' }), [actor]),
  }
}
