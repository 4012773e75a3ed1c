import { createContext, use } from 'react'
import type { Attachment } from '../../schemas/message.ts'

const ShowImage = createContext<((attachment: Attachment) => void) | null>(null)

/** Provides the function that opens a picture in full size. */
export const ShowImageProvider = ShowImage

/** Null if pictures are plain links. */
export const useShowImage = () => use(ShowImage)
