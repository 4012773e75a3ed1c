import { useCallback } from 'react'
import { picturesIn } from '../../domain/thread/pictures.ts'
import type { Attachment, Message } from '../../schemas/message.ts'
import { useDialog } from '../use-inbox.ts'

/**
 * Opens the dialog of a picture, with the other pictures of these messages. `readMessages` must be stable, because every
 * bubble renders again with a new function.
 */
export function useShowImage(conversationId: string, readMessages: () => readonly Message[]) {
  const dialog = useDialog()
  return useCallback(
    (attachment: Attachment) => {
      const pictures = picturesIn(readMessages())
      const index = pictures.findIndex((picture) => picture.attachment === attachment)
      const images = pictures.map(({ url, name }) => ({ url, name }))
      if (index < 0) return
      dialog.send({ type: 'dialog.requested', dialog: { name: 'image', input: { conversationId, images, index } } })
    },
    [readMessages, dialog, conversationId],
  )
}
