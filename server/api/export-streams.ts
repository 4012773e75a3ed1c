import type { Context } from 'hono'
import type { Clock } from '../clock.ts'
import { refuse } from './answers.ts'

/** Exports that one process writes at the same time: each holds a database connection for most of its time. */
const maxExports = 2

/** An export ends if its reader takes no part for this time. Milliseconds. */
const readWithin = 60_000

export function refuseExport(c: Context) {
  c.header('retry-after', '10')
  return refuse(c, 503, 'Other exports are running. Try again in a moment.')
}

/** The exports of one process that run at the same time. */
export function createExportStreams(clock: Pick<Clock, 'after'>) {
  let running = 0
  /** Counted from the first call of `next`. */
  async function* counted(parts: AsyncGenerator<string>) {
    running += 1
    try {
      yield* parts
    } finally {
      running -= 1
    }
  }
  return {
    areFull: () => running >= maxExports,

    /**
     * The parts as a stream that reads one at a time. Rejects if the first part cannot be read. After a later error the
     * connection breaks in the middle of the document, so that the reader notices.
     */
    async open(parts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
      const all = counted(parts)
      return streamOf(await all.next(), all, clock)
    },
  }
}

/** `first` is the part that was read already. */
function streamOf(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
  clock: Pick<Clock, 'after'>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let next: IteratorResult<string> | null = first
  let stopWaiting = () => {}
  const awaitReader = (controller: ReadableStreamDefaultController) => {
    stopWaiting = clock.after(readWithin, () => {
      controller.error(new Error('the reader of an export took too long'))
      void rest.return(undefined)
    })
  }
  return new ReadableStream<Uint8Array>(
    {
      start: awaitReader,
      async pull(controller) {
        stopWaiting()
        const { done, value } = next ?? (await rest.next())
        next = null
        if (done) return controller.close()
        controller.enqueue(encoder.encode(value))
        awaitReader(controller)
      },
      async cancel() {
        stopWaiting()
        await rest.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
