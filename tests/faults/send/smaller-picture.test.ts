import { afterEach, expect, it, vi } from 'vitest'
import { fileLimits } from '../../../src/domain/send/file-limits.ts'
import { smallerPicture } from '../../../src/services/send/smaller-picture.ts'
import { blobOf } from './attached-file.ts'

const tooLarge = fileLimits.image + 1

type Decoded = { width: number; height: number } | null

/** A browser that decodes every picture to this size and encodes JPEGs of these numbers of bytes. */
function stubBrowser(decoded: Decoded, sizes: readonly number[] = [], hasContext = true) {
  const steps: unknown[] = []
  const close = vi.fn()
  const results = sizes.map((size) => blobOf(size, 'image/jpeg'))
  const waiting = [...results]
  const picture = decoded && { ...decoded, close }
  vi.stubGlobal('createImageBitmap', async () => {
    if (picture === null) throw new DOMException('unreadable', 'InvalidStateError')
    return picture
  })
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly size: string
      constructor(width: number, height: number) {
        this.size = `${width} x ${height}`
      }
      getContext(kind: string) {
        const context = {
          fillStyle: '#000',
          fillRect: (...area: number[]) => steps.push(['fill', context.fillStyle, ...area]),
          drawImage: (drawn: unknown, ...area: number[]) => steps.push(['draw', drawn === picture, ...area]),
        }
        return hasContext && kind === '2d' ? context : null
      }
      async convertToBlob(options: object) {
        steps.push([this.size, options])
        return waiting.shift()
      }
    },
  )
  return { steps, close, results }
}
afterEach(() => vi.unstubAllGlobals())

const signal = new AbortController().signal
const drawn = (width: number, height: number, quality: number) => [
  ['fill', '#fff', 0, 0, width, height],
  ['draw', true, 0, 0, width, height],
  [`${width} x ${height}`, { type: 'image/jpeg', quality }],
]

it.each([
  ['text/plain', tooLarge],
  ['image/gif', tooLarge],
  ['image/svg+xml', 10],
  ['image/jpeg', fileLimits.image],
  ['image/png', 10],
])('a file of the type %s with %i bytes stays as it is', async (type, size) => {
  const { steps, close } = stubBrowser({ width: 10, height: 10 }, [1])
  const file = { name: 'file.bin', blob: blobOf(size, type) }
  const prepared = await smallerPicture(file, signal)
  expect([prepared.name, prepared.blob === file.blob, steps, close.mock.calls]).toEqual(['file.bin', true, [], []])
})

it.each([
  ['image/heic', 10, 'photo.heic', 'photo.jpg'],
  ['image/webp', 10, 'a.b.webp', 'a.b.jpg'],
  ['image/png', tooLarge, 'photo', 'photo.jpg'],
])('a picture of the type %s with %i bytes becomes an opaque JPEG', async (type, size, name, named) => {
  const { steps, close, results } = stubBrowser({ width: 640, height: 481 }, [fileLimits.image])
  const prepared = await smallerPicture({ name, blob: blobOf(size, type) }, signal)
  expect([prepared.name, prepared.blob === results[0]]).toEqual([named, true])
  expect([steps, close.mock.calls.length]).toEqual([drawn(640, 481, 0.9), 1])
})

it('a large picture becomes smaller until the network takes it', async () => {
  const { steps, results } = stubBrowser({ width: 6000, height: 8192 }, [tooLarge, tooLarge, 5])
  const prepared = await smallerPicture({ name: 'photo.jpg', blob: blobOf(tooLarge, 'image/jpeg') }, signal)
  expect([prepared.name, prepared.blob === results[2]]).toEqual(['photo.jpg', true])
  expect(steps).toEqual([...drawn(3000, 4096, 0.9), ...drawn(1875, 2560, 0.85), ...drawn(1172, 1600, 0.8)])
})

it.each<[string, Decoded, boolean]>([
  ['that the browser cannot read', null, true],
  ['that the browser cannot draw', { width: 10, height: 10 }, false],
  ['that no attempt makes small enough', { width: 10, height: 10 }, true],
])('a picture %s stays as it is', async (_, decoded, hasContext) => {
  const { close } = stubBrowser(decoded, [tooLarge, tooLarge, tooLarge], hasContext)
  const file = { name: 'photo.heic', blob: blobOf(10, 'image/heic') }
  const prepared = await smallerPicture(file, signal)
  expect([prepared.name, prepared.blob === file.blob]).toEqual(['photo.heic', true])
  expect(close).toHaveBeenCalledTimes(decoded === null ? 0 : 1)
})

it('a picture whose file was removed is not drawn, and its memory is released', async () => {
  const { steps, close } = stubBrowser({ width: 10, height: 10 }, [5])
  const file = { name: 'photo.heic', blob: blobOf(10, 'image/heic') }
  await expect(smallerPicture(file, AbortSignal.abort())).rejects.toThrow('aborted')
  expect([steps, close.mock.calls.length]).toEqual([[], 1])
})
