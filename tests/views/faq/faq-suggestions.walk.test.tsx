import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject, InspectionEvent } from 'xstate'
import { faqSuggestionsMachine, selectSuggestions } from '../../../src/machines/faq/faq-suggestions.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { faqSuggestionsModel } from '../../model/faq/faq-suggestions-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { stateOf } from '../../model/inbox-fixture.ts'
import { listOf, showInbox, user } from '../inbox-harness.tsx'

const coverage = createCoverage(faqSuggestionsMachine)

const waiting = conversationOf({
  last_message_text: 'open?',
  last_message_direction: 'incoming',
  last_message_at: '2026-01-15T12:00:00Z',
  state: stateOf(1, { waiting_since: '2026-01-15T12:00:00Z' }),
})
const answered = conversationOf({ primary_user_id: 'ben', fb_user_id: 'ben-p1', state: stateOf(1) })

async function start() {
  const inbox = await showInbox({
    person: {
      ...user,
      permissions: ['conversations.read', 'messages.send', 'faq.read'],
      features: ['conversation-states', 'saved-replies'],
    },
    inspect: (event: InspectionEvent) => coverage.inspect(event),
  })
  await inbox.answer('loadTop', listOf([waiting, answered]))
  const open = async (id: string) => {
    await inbox.open(id)
    const messages = [messageOf(`m-${id}`, 1, { primary_user_id: id, fb_user_id: `${id}-p1`, is_read: true })]
    while (inbox.waiting('loadMessages').length > 0) await inbox.answer('loadMessages', { messages, hasMore: false })
    await act(async () => {})
  }
  await open('ben')
  return { ...inbox, open }
}

const titles = () =>
  [...(screen.queryByRole('region', { name: 'Answers from the FAQ' })?.querySelectorAll('bdi') ?? [])].map(
    ({ textContent }) => textContent,
  )

describe('The walk through the suggestions from the FAQ', () => {
  const paths = faqSuggestionsModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await start()
      const drive = driverOf(
        (event: AnyEventObject) => {
          if (event.type === 'question.changed') return inbox.open(event['question'] === null ? 'ben' : 'ana')
          // The button is shown only with suggestions.
          const hide = screen.queryByRole('button', { name: 'Hide these answers' })
          return act(async () =>
            hide ? void fireEvent.click(hide) : inbox.app.system.get('faqSuggestions').send(event),
          )
        },
        {
          calls: { loadEntries: inbox.control('loadEntries') },
          delays: { retryDelay: () => inbox.pass(2_000), entriesLifetime: () => inbox.pass(300_000) },
        },
      )
      await follow(path, drive, ({ expected }) => {
        const offered = selectSuggestions(expected).map(({ title }) => title)
        expect({
          titles: titles(),
          announced: screen.queryByText(/ from the FAQ fit/)?.textContent?.[0],
          loads: inbox.waiting('loadEntries').length,
          alerts: screen.queryAllByRole('alert').length,
        }).toEqual({
          titles: offered,
          announced: offered.length > 0 ? String(offered.length) : undefined,
          loads: expected.matches('loading') ? 1 : 0,
          alerts: 0,
        })
      })
      inbox.unmount()
      inbox.app.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
