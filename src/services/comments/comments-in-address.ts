import { commentsMark } from '../../schemas/web-push.ts'

type Settings = {
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState' | 'state'>
}

/** Null for none, and for an id that the link lost a part of. */
function idIn(part: string): string | null {
  try {
    return decodeURIComponent(part) || null
  } catch {
    return null
  }
}

/**
 * The comments that the address opens: a thread, or all (a null id). Null without any. They are removed from the address, so
 * that a reload does not open them again.
 */
export function takeCommentsInAddress({ location, history }: Settings): { threadId: string | null } | null {
  if (!location.hash.startsWith(commentsMark)) return null
  history.replaceState(history.state, '', `${location.pathname}${location.search}`)
  return { threadId: idIn(location.hash.slice(commentsMark.length)) }
}
