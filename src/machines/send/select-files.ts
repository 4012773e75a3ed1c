import type { SnapshotFrom } from 'xstate'
import { type AttachedFile, filesOf } from '../../domain/send/attached-files.ts'
import type { attachedFilesMachine } from './attached-files.ts'

const none: readonly AttachedFile[] = []

/** Returns a selector for the files of a conversation. The array stays the same until one of its files changes. */
export function selectFilesOf(
  conversationId: string,
): (snapshot: SnapshotFrom<typeof attachedFilesMachine> | undefined) => readonly AttachedFile[] {
  let last: readonly AttachedFile[] = none
  return (snapshot) => {
    const next = filesOf(snapshot?.context.files ?? none, conversationId)
    if (next.length !== last.length || next.some((file, index) => file !== last[index])) last = next
    return last
  }
}
