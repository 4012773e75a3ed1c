import { fileLimits, kindOfType } from '../../domain/send/file-limits.ts'

/** Tried in this order. The longer side in pixels, and the quality of the JPEG. */
const attempts = [
  { side: 4096, quality: 0.9 },
  { side: 2560, quality: 0.85 },
  { side: 1600, quality: 0.8 },
] as const

type NamedFile = { name: string; blob: Blob }

/**
 * The picture as the network takes it: as it is, or as a JPEG if it is too large or of a type that the network does not show.
 * Any other file, an animation and a picture that the browser cannot read stay as they are.
 */
export async function smallerPicture({ name, blob }: NamedFile, signal: AbortSignal): Promise<NamedFile> {
  if (!blob.type.startsWith('image/') || blob.type === 'image/gif' || blob.type === 'image/svg+xml') {
    return { name, blob }
  }
  if (kindOfType(blob.type) === 'image' && blob.size <= fileLimits.image) return { name, blob }
  // Turned upright, as the camera's note says.
  const picture = await createImageBitmap(blob).catch(() => null)
  if (picture === null) return { name, blob }
  try {
    for (const { side, quality } of attempts) {
      signal.throwIfAborted()
      const scale = Math.min(1, side / Math.max(picture.width, picture.height))
      const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      if (context === null) break
      // JPEG has no transparency.
      context.fillStyle = '#fff'
      context.fillRect(0, 0, width, height)
      context.drawImage(picture, 0, 0, width, height)
      const smaller = await canvas.convertToBlob({ type: 'image/jpeg', quality })
      if (smaller.size <= fileLimits.image) return { name: `${name.replace(/\.\w+$/, '')}.jpg`, blob: smaller }
    }
    return { name, blob }
  } finally {
    picture.close()
  }
}
