import { commentsMark } from '../../schemas/web-push.ts'

type Settings = {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState' | 'state'>
}

/**
 * The comments that the address opens: a thread, or all (a null id). Null without any. They are removed from the address, so
 * that a reload does not open them again.
 */
export function takeCommentsInAddress({ location, history }: Settings): { threadId: string | null } | null {
  if (!location.hash.startsWith(commentsMark)) return null
  const id = location.hash.slice(commentsMark.length)
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  return { threadId: id === '' ? null : decodeURIComponent(id) }
}
