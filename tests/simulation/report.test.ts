import { describe, expect, it } from 'vitest'
import { scriptOfReport } from './report.ts'

const start = 1_772_442_000_000

type Received = { machine: string; after: number; event: { type: string; [field: string]: unknown } }

/** A report in which these events followed each other. */
function reportOf(received: readonly Received[]): string {
  const state = { value: 'running', status: 'active', context: {}, children: [] }
  let at = start
  const events = received.map(({ machine, after, event }, seq) => {
    at += after
    return { machine, seq, at, event, drawn: [] }
  })
  const machines = [...new Set(received.map(({ machine }) => machine))]
  return JSON.stringify({
    format: 'staff-inbox-report',
    version: 1,
    takenAt: new Date(at).toISOString(),
    commit: null,
    actors: machines.map((machine) => ({
      session: `x:${machine}`,
      id: machine,
      systemId: machine,
      parent: null,
      machine,
      input: null,
      dropped: 0,
      from: { ...state, seq: 0 },
      events: events.filter((one) => one.machine === machine).map(({ machine: _, ...event }) => event),
      to: state,
    })),
  })
}

const message = (conversation: string, page: string, direction = 'incoming') => ({
  type: 'INSERT',
  record: { primary_user_id: conversation, page_id: page, direction, message_text: { $text: [[1, 5]] } },
})

describe('The script of a problem report', () => {
  it('first lets the customers of the report write, and then follows its events with their times', () => {
    const script = scriptOfReport(
      reportOf([
        { machine: 'session', after: 0, event: { type: 'messages.changed', changes: [message('anna', 'P1')] } },
        { machine: 'session', after: 700, event: { type: 'conversation.selected', id: 'bert' } },
        { machine: 'session', after: 300, event: { type: 'page.chosen', pageId: 'P1' } },
        { machine: 'session', after: 400_000, event: { type: 'tab.hidden' } },
        { machine: 'session', after: 1, event: { type: 'messages.changed', changes: [{ type: 'DELETE' }] } },
      ]),
      7,
    )
    expect(script).toEqual({
      seed: 7,
      servers: 2,
      clients: 1,
      steps: [
        // The first customer of each page, and another one.
        { after: 100, what: 'customerWrites', which: 8 },
        { after: 100, what: 'customerWrites', which: 1 },
        { after: 5_000, what: 'customerWrites', which: 8 },
        { after: 700, what: 'staffOpensCustomer', which: 16 },
        { after: 300, what: 'staffFiltersByPage', which: 32 },
        { after: 120_000, what: 'tabIsHidden', which: 0 },
        { after: 20, what: 'customerDeletes', which: 0 },
        { after: 10_000, what: 'webhooksFlowAgain', which: 0 },
      ],
    })
  })

  it.each([
    [
      'the same draft twice as a double click',
      [
        { machine: 'outbox', after: 0, event: { type: 'send.requested', draftId: 'd1', pageId: null } },
        { machine: 'outbox', after: 5, event: { type: 'send.requested', draftId: 'd1', pageId: null } },
      ],
      ['staffDoubleClicks'],
    ],
    [
      'a send without an answer as a lost answer before it',
      [
        { machine: 'outbox', after: 0, event: { type: 'send.requested', draftId: 'd1', pageId: 'P1' } },
        {
          machine: 'sendFlow',
          after: 3_000,
          event: { type: 'xstate.error.actor.sendMessage', error: { $error: { kind: 'noAnswer' } } },
        },
        { machine: 'outbox', after: 100, event: { type: 'send.retried', key: 'k1' } },
      ],
      ['answersAreLost', 'staffWrites', 'staffRetries'],
    ],
    [
      'a refused send as a refusal of the network before it',
      [
        { machine: 'outbox', after: 0, event: { type: 'send.requested', draftId: 'd1', pageId: 'P1' } },
        {
          machine: 'sendFlow',
          after: 900,
          event: { type: 'xstate.error.actor.sendMessage', error: { $error: { kind: 'status', status: 422 } } },
        },
      ],
      ['networkRefuses', 'staffWrites'],
    ],
    [
      'signing in and out, a lost channel and a dialog',
      [
        { machine: 'auth', after: 0, event: { type: 'signIn.requested', email: { $text: [] } } },
        { machine: 'realtime', after: 90, event: { type: 'channel.failed', channel: 'messages' } },
        { machine: 'dialog', after: 90, event: { type: 'dialog.requested', dialog: { name: 'faq' } } },
        { machine: 'auth', after: 90, event: { type: 'signOut.requested' } },
        { machine: 'list', after: 90, event: { type: 'something.else' } },
      ],
      ['staffSignsIn', 'socketsAreCut', 'staffOpensDialog', 'staffSignsOut'],
    ],
  ] satisfies [string, Received[], string[]][])('reads %s', (_, received, whats) => {
    const { steps } = scriptOfReport(reportOf(received), 1)
    expect(steps.map(({ what }) => what)).toEqual([...whats, 'webhooksFlowAgain'])
  })

  it('refuses a file that is no report', () => {
    expect(() => scriptOfReport('{"format":"another"}', 1)).toThrow()
  })
})
