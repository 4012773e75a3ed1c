import type { AttachedFile } from '../../../src/domain/send/attached-files.ts'
import type { OutgoingFile } from '../../../src/schemas/outgoing-file.ts'

export const attachedFile = (over: Partial<AttachedFile> = {}): AttachedFile => ({
  id: 'f1',
  conversationId: 'c1',
  platform: 'messenger',
  name: 'price.pdf',
  blob: new Blob(['pdf'], { type: 'application/pdf' }),
  copyOf: null,
  status: 'waiting',
  sent: 0,
  uploaded: null,
  failure: null,
  ...over,
})

export const uploadedFile: OutgoingFile = {
  id: 'f1',
  kind: 'file',
  type: 'application/pdf',
  name: 'price.pdf',
  size: 3,
  url: '/files/f1',
}

/** A blob of this many bytes, each with the value of its part of `partBytes`. */
export function blobOf(size: number, type = 'video/mp4', partSize = size): Blob {
  const bytes = new Uint8Array(size)
  for (let start = 0, part = 1; start < size; start += partSize, part += 1) bytes.fill(part, start, start + partSize)
  return new Blob([bytes], { type })
}
