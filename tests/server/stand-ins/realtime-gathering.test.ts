import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { frameBytes } from '../../../server/stand-ins/supabase/realtime/frames.ts'
import { createGathering, gatherAbove, gatherWindow } from '../../../server/stand-ins/supabase/realtime/gathering.ts'
import { manualClock } from '../manual-clock.ts'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

const gather = () => {
  const clock = manualClock()
  const delivered: number[][] = []
  const { add, drop } = createGathering<number>({ clock, deliver: (items) => void delivered.push([...items]) })
  const addMany = (from: number, count: number) => {
    for (let index = 0; index < count; index++) add(from + index)
  }
  return { clock, delivered, add, addMany, drop }
}

it('passes each change on at once while there are few', () => {
  const { clock, delivered, addMany } = gather()
  for (let window = 0; window < 3; window++) {
    addMany(window * gatherAbove, gatherAbove)
    clock.advance(gatherWindow)
  }
  expect(delivered).toEqual(Array.from({ length: 3 * gatherAbove }, (_, index) => [index]))
})

it('gathers the changes of a window under load, passes them on in their order, and stops when the load ends', () => {
  const { clock, delivered, add, addMany } = gather()
  addMany(0, gatherAbove + 1)
  expect(delivered.length).toBe(gatherAbove + 1)
  clock.advance(gatherWindow)
  delivered.length = 0
  addMany(100, 30)
  clock.advance(gatherWindow - 1)
  add(130)
  expect(delivered).toEqual([])
  clock.advance(1)
  expect(delivered).toEqual([Array.from({ length: 31 }, (_, index) => 100 + index)])
  add(200)
  expect(delivered.length).toBe(1)
  clock.advance(gatherWindow)
  expect(delivered[1]).toEqual([200])
  add(201)
  expect(delivered[2]).toEqual([201])
})

it('passes nothing on that was gathered before a lost database', () => {
  const { clock, delivered, addMany, drop } = gather()
  addMany(0, gatherAbove + 1)
  clock.advance(gatherWindow)
  delivered.length = 0
  addMany(100, 5)
  drop()
  clock.advance(gatherWindow)
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
