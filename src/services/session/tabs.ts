import type { AuthChange } from '../../domain/session/session-calls.ts'
import type { TextStorage } from '../storage.ts'
import { type TokenStore, tokenKeys } from './tokens.ts'

type Settings = {
  /** Receives the `storage` and `online` events. */
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  storage: TextStorage
  tokens: TokenStore
}

/**
 * Reports changes outside this tab: another tab cleared or changed the stored token (spec section 4, tab sync), storage
 * fails, or the connection is back. Returns a function that stops it.
 */
export function watchOutside({ window, storage, tokens }: Settings, tell: (news: AuthChange) => void): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key !== tokenKeys.token && event.key !== null) return
    const before = tokens.current()?.token
    const held = tokens.adopt()
    if (held?.token !== before) tell({ type: 'tokens.changed', session: held?.session ?? null })
  }
  const onOnline = () => tell({ type: 'connection.returned' })

  window.addEventListener('storage', onStorage)
  window.addEventListener('online', onOnline)
  const stopListening = storage.onFailed(() => tell({ type: 'storage.failed' }))
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('online', onOnline)
    stopListening()
  }
}
