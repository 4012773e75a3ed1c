import { createContext, use } from 'react'
import type { Attachment } from '../../schemas/message.ts'

const ShowImage = createContext<((attachment: Attachment) => void) | null>(null)

/** Gives the pictures under it a way to be looked at in full size. */
export const ShowImageProvider = ShowImage

/** Null where pictures are links and nothing more. */
export const useShowImage = () => use(ShowImage)
