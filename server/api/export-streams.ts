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

export type ExportStreams = ReturnType<typeof createExportStreams>

/** The exports of one process, of whichever kind, that run at the same time. */
export function createExportStreams(clock: Pick<Clock, 'after'>) {
  let running = 0
  async function* counted(parts: AsyncGenerator<string>) {
    try {
      yield* parts
    } finally {
      running -= 1
    }
  }
  return {
    areFull: () => running >= maxExports,

    /**
     * The parts that `begin` returns, as a stream that reads one at a time. 'full', without a call of `begin`, if too many
     * exports run. Null if `begin` returns null. Rejects if the first part cannot be read. After a later error the connection
     * breaks in the middle of the document, so that the reader notices.
     */
    async open(
      begin: () => Promise<AsyncGenerator<string> | null>,
    ): Promise<ReadableStream<Uint8Array> | 'full' | null> {
      if (running >= maxExports) return 'full'
      // Counted before anything is awaited, so that requests of the same moment count each other.
      running += 1
      let parts: AsyncGenerator<string> | null = null
      try {
        parts = await begin()
      } finally {
        if (parts === null) running -= 1
      }
      if (parts === null) return null
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
