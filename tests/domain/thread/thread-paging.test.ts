import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparePlaces, placeOf } from '../../../src/domain/message-order.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import {
  applyChanges,
  emptyThread,
  type FetchedPage,
  hasOlder,
  type ThreadMessages,
} from '../../../src/domain/thread/thread-messages.ts'
import { olderRequest, withNewest, withOlder } from '../../../src/domain/thread/thread-paging.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { messageOf } from '../message-fixture.ts'

/** A server that holds messages and serves pages of 50, newest first. */
function createServer(count: number) {
  let messages = Array.from({ length: count }, (_, index) => messageOf(`m${String(index).padStart(5, '0')}`, index))
  let next = count
  return {
    all: () => messages,
    page: (page: number): FetchedPage => {
      const end = messages.length - (page - 1) * 50
      const start = end - 50
      return { messages: messages.slice(Math.max(0, start), Math.max(0, end)), hasMore: start > 0 }
    },
    receive: (): MessageChange => {
      const record = messageOf(`m${String(next).padStart(5, '0')}`, next)
      next += 1
      messages = [...messages, record].sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
      return { type: 'INSERT', record }
    },
    remove: (message: Message): MessageChange => {
      messages = messages.filter((other) => other !== message)
      return { type: 'DELETE', messageId: message.message_id }
    },
  }
}
type Server = ReturnType<typeof createServer>

const catchUp = (thread: ThreadMessages, server: Server) => {
  const asked: number[] = []
  let page: number | null = 1
  let caughtUp = thread
  let isExact = true
  while (page !== null) {
    asked.push(page)
    const step = withNewest(caughtUp, { page, before: thread }, server.page(page), [])
    caughtUp = step.thread
    page = step.next
    isExact = step.isExact
  }
  return { thread: caughtUp, asked, isExact }
}

const pageBack = (thread: ThreadMessages, server: Server, isExact = true) => {
  const asked: number[] = []
  let request = olderRequest(thread, isExact)
  for (;;) {
    asked.push(request.page)
    const { thread: merged, next } = withOlder(thread, request, server.page(request.page), [])
    if (next === null) return { thread: merged, asked }
    thread = merged
    request = next
  }
}

const idsOf = (messages: readonly Message[]) => messages.map((message) => message.message_id)

describe('Catching up', () => {
  const cases: Record<string, { held: number; missed: number; asked: number[]; length: number }> = {
    'loads one page into an empty thread': { held: 0, missed: 120, asked: [1], length: 50 },
    'requests one page after a small gap': { held: 60, missed: 3, asked: [1], length: 53 },
    'pages back to the newest known message': { held: 60, missed: 120, asked: [1, 2, 3], length: 170 },
    'restarts from the newest page after a large gap': {
      held: 60,
      missed: 700,
      asked: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      length: 500,
    },
  }
  it.each(Object.entries(cases))('%s', (_, { held, missed, asked, length }) => {
    const server = createServer(held)
    const before = held > 0 ? catchUp(emptyThread, server).thread : emptyThread
    for (let index = 0; index < missed; index += 1) server.receive()
    const after = catchUp(before, server)
    expect(after.asked).toEqual(asked)
    expect(idsOf(after.thread.messages)).toEqual(idsOf(server.all().slice(-length)))
    expect(hasOlder(after.thread)).toBe(server.all().length > length)
  })

  it('does not stop at a realtime message from after the gap', () => {
    const server = createServer(60)
    const before = catchUp(emptyThread, server).thread
    for (let index = 0; index < 120; index += 1) server.receive()
    const after = catchUp(applyChanges(before, [server.receive()]), server)
    expect(idsOf(after.thread.messages)).toEqual(idsOf(server.all().slice(-171)))
  })

  it('removes the newest messages if they were deleted during the gap', () => {
    const server = createServer(60)
    const before = catchUp(emptyThread, server).thread
    for (const message of server.all().slice(-3)) server.remove(message)
    expect(idsOf(catchUp(before, server).thread.messages)).toEqual(idsOf(server.all()))
  })

  it.each([
    ['the page holds all held messages', 120, 0, true],
    ['held messages are older than the page', 120, 1, false],
    ['the thread fits on one page', 20, 0, true],
    ['the thread is empty', 0, 0, true],
  ])('compares all messages if %s: %s messages, %s times paged back, %s', (_, count, times, isExact) => {
    const server = createServer(count)
    let { thread } = catchUp(emptyThread, server)
    for (let time = 0; time < times; time += 1) thread = pageBack(thread, server).thread
    expect(catchUp(thread, server).isExact).toBe(isExact)
  })

  it('ends once the gap is closed, and compares all messages left after a cut', () => {
    const server = createServer(60)
    const before = catchUp(emptyThread, server).thread
    for (let index = 0; index < 700; index += 1) server.receive()
    const first = withNewest(before, { page: 1, before }, server.page(1), [])
    const last = withNewest(first.thread, { page: 10, before }, server.page(10), [])
    expect([first.next, first.isExact, last.next, last.isExact]).toEqual([2, false, null, true])
  })

  it('ends without loss if the server announces more messages but returns none', () => {
    const before = catchUp(emptyThread, createServer(60)).thread
    const { thread, next } = withNewest(before, { page: 1, before }, { messages: [], hasMore: true }, [])
    expect([thread.messages, next]).toEqual([before.messages, null])
  })

  it('keeps realtime changes that arrive during the request', () => {
    const server = createServer(10)
    const page = server.page(1)
    const heard = [server.receive(), { type: 'DELETE', messageId: 'm00003' } as const]
    const { thread } = withNewest(emptyThread, { page: 1, before: emptyThread }, page, heard)
    expect(idsOf(thread.messages)).toEqual(idsOf(server.all()).filter((id) => id !== 'm00003'))
  })
})

describe('Paging back', () => {
  it('loads the next fifty messages', () => {
    const server = createServer(120)
    const { thread, asked } = pageBack(catchUp(emptyThread, server).thread, server)
    expect([asked, idsOf(thread.messages), hasOlder(thread)]).toEqual([[2], idsOf(server.all().slice(-100)), true])
  })

  it('accepts late messages between the messages that it loaded', () => {
    const server = createServer(120)
    const { thread } = pageBack(catchUp(emptyThread, server).thread, server)
    const late = messageOf('late', 30.5)
    expect(idsOf(applyChanges(thread, [{ type: 'INSERT', record: late }]).messages)).toContain('late')
  })

  it('continues from a page without usable messages to an overlapping page', () => {
    const server = createServer(120)
    const { thread } = catchUp(emptyThread, server)
    const overlapping = { adjoins: false, before: null }
    const empty = withOlder(thread, { page: 4, adjoins: true, isLast: false, before: null }, server.page(4), [])
    const beyond = withOlder(thread, { page: 3, isLast: true, ...overlapping }, server.page(3), [])
    expect([empty, beyond]).toEqual([
      { thread, next: { page: 3, isLast: true, ...overlapping } },
      { thread, next: { page: 2, isLast: false, ...overlapping } },
    ])
  })

  it('keeps an adjoining page if a message arrived during the request', () => {
    const server = createServer(120)
    const { thread } = catchUp(emptyThread, server)
    const page = server.page(2)
    const paged = withOlder(thread, olderRequest(thread, true), page, [server.receive()])
    expect([idsOf(paged.thread.messages), paged.next]).toEqual([idsOf(server.all().slice(-101)), null])
  })

  it('accounts for new messages, which shift the pages', () => {
    const server = createServer(120)
    const grown = applyChanges(catchUp(emptyThread, server).thread, [server.receive(), server.receive()])
    const { thread, asked } = pageBack(grown, server)
    expect([asked, idsOf(thread.messages)]).toEqual([[2], idsOf(server.all().slice(-100))])
  })

  it('loads one more page if unannounced messages shifted the known ones', () => {
    const server = createServer(120)
    const before = catchUp(emptyThread, server).thread
    for (let index = 0; index < 50; index += 1) server.receive()
    const { thread, asked } = pageBack(before, server)
    expect([asked, idsOf(thread.messages)]).toEqual([[2, 3], idsOf(server.all().slice(20, 120))])
  })

  it.each([
    ['the newest messages again', (server: Server) => server.page(1), [2, 3]],
    ['no messages', () => ({ messages: [], hasMore: true }), [2, 1]],
  ])('ends without loss if the server announces more messages but returns %s', (_, answer, pages) => {
    const server = createServer(120)
    const before = catchUp(emptyThread, server).thread
    const lying = {
      ...server,
      page: (page: number) => (page === 1 ? server.page(1) : { ...answer(server), hasMore: true }),
    }
    const { thread, asked } = pageBack(before, lying)
    expect([asked, thread.messages, hasOlder(thread)]).toEqual([pages, before.messages, false])
  })

  it('ends if the server announces more messages but has none', () => {
    const server = { ...createServer(0), page: () => ({ messages: [], hasMore: true }) }
    const { thread, asked } = pageBack(catchUp(emptyThread, server).thread, server)
    expect([asked, thread.messages, hasOlder(thread)]).toEqual([[1], [], false])
  })

  it('goes back to the known messages after many pages of unannounced messages', () => {
    const server = createServer(400)
    let thread = catchUp(emptyThread, server).thread
    for (let times = 0; times < 5; times += 1) thread = pageBack(thread, server).thread
    for (let index = 0; index < 120; index += 1) server.receive()
    const paged = pageBack(thread, server)
    expect([paged.asked, paged.thread.messages.length]).toEqual([[7, 8, 9], 330])
  })

  it('checks the previous page if a deletion during the request shifted the pages', () => {
    const server = createServer(120)
    const before = catchUp(emptyThread, server).thread
    const request = olderRequest(before, true)
    const [newest] = server.all().slice(-1)
    const heard = newest === undefined ? [] : [server.remove(newest)]
    const after = withOlder(applyChanges(before, heard), request, server.page(2), heard)
    expect([request.page, after.next?.page, after.thread.messages.length]).toEqual([2, 1, 49])
  })

  it('requests a newer page if a page lies beyond a gap', () => {
    const server = createServer(200)
    const before = applyChanges(catchUp(emptyThread, server).thread, [server.receive()])
    for (const message of server.all().slice(-60)) server.remove(message)
    const { thread, asked } = pageBack(before, server)
    expect([asked, idsOf(thread.messages)]).toEqual([[2, 1], idsOf(server.all().slice(-50))])
  })
})

describe('A thread after random loads, pages, changes and cuts', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        times: fc.integer({ min: 1, max: 40 }),
        heard: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(), heard: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('older' as const) }) },
  )

  it('is the newest part of the server’s messages after it has caught up', () => {
    fc.assert(
      fc.property(fc.nat(260), fc.array(step, { maxLength: 14 }), (count, steps) => {
        const server = createServer(count)
        let thread = catchUp(emptyThread, server).thread
        let isCutOff = false
        const hear = (change: MessageChange, heard: boolean) => {
          if (heard && !isCutOff) thread = applyChanges(thread, [change])
          else isCutOff = true
        }
        for (const taken of steps) {
          if (taken.kind === 'receive') for (let i = 0; i < taken.times; i += 1) hear(server.receive(), taken.heard)
          if (taken.kind === 'remove') {
            const message = server.all()[taken.which % Math.max(1, server.all().length)]
            if (message) hear(server.remove(message), taken.heard)
          }
          if (taken.kind === 'older') {
            const caughtUp = catchUp(thread, server)
            thread = caughtUp.thread
            isCutOff = false
            if (hasOlder(thread)) thread = pageBack(thread, server, caughtUp.isExact).thread
          }
        }
        const caughtUp = catchUp(thread, server)
        thread = caughtUp.thread
        while (hasOlder(thread)) thread = pageBack(thread, server, caughtUp.isExact).thread
        const held = new Set(idsOf(thread.messages))
        expect(idsOf(server.all()).filter((id) => !held.has(id))).toEqual([])
        expect(new Set(idsOf(thread.messages)).size).toBe(thread.messages.length)
      }),
      { numRuns: 400 },
    )
  })
})
