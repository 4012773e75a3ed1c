import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frameBytes } from '../../../server/stand-ins/supabase/realtime/frames.ts'
import {
  createGathering,
  longestPause,
  measuredWindow,
  shortestPause,
  writesPerMillisecond,
} from '../../../server/stand-ins/supabase/realtime/gathering.ts'
import { manualClock } from '../manual-clock.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

/** Items of a window with the shortest pause, and with the longest one, for 40 sockets. */
const sockets = 40
const forShortest = (shortestPause * writesPerMillisecond) / sockets
const forLongest = (longestPause * writesPerMillisecond) / sockets

const gather = () => {
  const clock = manualClock()
  const delivered: number[][] = []
  const deliver = (items: readonly number[]) => void delivered.push([...items])
  const { add, drop } = createGathering<number>({ clock, deliver, sockets: () => sockets })
  const addMany = (from: number, count: number) => {
    for (let index = 0; index < count; index++) add(from + index)
  }
  const afterWindowOf = (count: number) => {
    addMany(0, count)
    clock.advance(measuredWindow)
    delivered.length = 0
  }
  return { clock, delivered, add, addMany, afterWindowOf, drop }
}

it('passes each change on at once while there are few', () => {
  const { clock, delivered, addMany } = gather()
  const few = Math.ceil(forShortest) - 1
  for (let window = 0; window < 3; window++) {
    addMany(window * few, few)
    clock.advance(measuredWindow)
  }
  expect(delivered).toEqual(Array.from({ length: 3 * few }, (_, index) => [index]))
})

it.each([
  { after: 'some changes', count: Math.ceil(forShortest), pause: shortestPause },
  { after: 'twice as many', count: 2 * Math.ceil(forShortest), pause: 2 * shortestPause },
  { after: 'many', count: 10 * forLongest, pause: longestPause },
])(
  'gathers changes for $pause ms after a window with $after, and passes them on in their order',
  ({ count, pause }) => {
    const { clock, delivered, add, addMany, afterWindowOf } = gather()
    afterWindowOf(count)
    addMany(100, 30)
    clock.advance(pause - 1)
    add(130)
    expect(delivered).toEqual([])
    clock.advance(1)
    expect(delivered).toEqual([Array.from({ length: 31 }, (_, index) => 100 + index)])
  },
)

it('stops to gather when the load ends', () => {
  const { clock, delivered, add, afterWindowOf } = gather()
  afterWindowOf(forLongest)
  add(200)
  clock.advance(longestPause)
  expect(delivered).toEqual([[200]])
  add(201)
  expect(delivered).toEqual([[200], [201]])
})

it('passes nothing on that was gathered before a lost database', () => {
  const { clock, delivered, addMany, afterWindowOf, drop } = gather()
  afterWindowOf(forLongest)
  addMany(100, 5)
  drop()
  clock.advance(longestPause)
  expect(delivered).toEqual([])
})

it('writes frames that a WebSocket client reads, of any length and between those of the library', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map(
    (length) => 'é'.repeat(length / 2) + 'x'.repeat(length % 2),
  )
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      stream.write(Buffer.concat(texts.map(frameBytes)))
      socket.send('of the library')
      stream.write(frameBytes('last'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  closings.push(
    () => client.terminate(),
    () => server.close(),
  )
  const read: string[] = []
  client.on('message', (data) => read.push(String(data)))
  await expect.poll(() => read.length).toBe(texts.length + 2)
  expect(read).toEqual([...texts, 'of the library', 'last'])
})
