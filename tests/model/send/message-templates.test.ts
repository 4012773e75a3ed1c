import { describe, expect, it } from 'vitest'
import { SimulatedClock } from 'xstate'
import {
  messageTemplatesMachine,
  selectAsksToDiscard,
  selectChosen,
  selectHasFailed,
  selectTemplates,
  selectValues,
} from '../../../src/machines/send/message-templates.ts'
import type { MessageTemplate } from '../../../src/schemas/structured-message.ts'
import { createCoverage, driverOf } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import {
  messageTemplatesModel,
  plain,
  ready,
  startTemplates,
  templateFaults,
  templates,
} from './message-templates-fixture.ts'

const coverage = createCoverage(messageTemplatesMachine)

const sentOf = (name: string, text: string, value?: string) => ({
  type: 'send.requested',
  draftId: 'draft-1',
  conversationId: 'ana',
  pageId: 'p1',
  platform: 'messenger',
  text,
  structured: {
    kind: 'template',
    name,
    language: 'en',
    header: [],
    body: value === undefined ? [] : [{ name: '1', value }],
  },
})

describe('the dialog with templates', () => {
  it('reads the templates of the page, and hands one message to the outbox', async () => {
    const sut = startTemplates(coverage.inspect)
    expect(sut.load.inputs()).toEqual([{ pageId: 'p1' }])
    await sut.load.resolve(templates)
    sut.actor.send({ type: 'template.chosen', template: ready })
    sut.actor.send({ type: 'template.sent' })
    expect(sut.told).toEqual([])
    sut.actor.send({ type: 'value.typed', key: 'body:1', value: ' Ana ' })
    sut.actor.send({ type: 'template.sent' })
    sut.actor.send({ type: 'template.sent' })
    expect(sut.told).toEqual([sentOf('order_ready', 'Hello Ana, your order is ready.', 'Ana')])
    expect(sut.actor.getSnapshot().status).toBe('done')
  })

  it('keeps what was typed in a template until another is chosen', async () => {
    const sut = startTemplates()
    await sut.load.resolve(templates)
    sut.actor.send({ type: 'template.chosen', template: ready })
    sut.actor.send({ type: 'value.typed', key: 'body:1', value: 'Ana' })
    sut.actor.send({ type: 'template.left' })
    sut.actor.send({ type: 'template.chosen', template: ready })
    expect(selectValues(sut.actor.getSnapshot())).toEqual({ 'body:1': 'Ana' })
    sut.actor.send({ type: 'template.left' })
    sut.actor.send({ type: 'template.chosen', template: plain })
    expect(selectValues(sut.actor.getSnapshot())).toEqual({})
  })

  type State = {
    work: 'loading' | 'waiting' | 'refused' | 'choosing' | 'editing' | 'asking' | 'closed'
    templates: readonly MessageTemplate[] | null
    chosen: MessageTemplate | null
    value: string | null
    failures: number
    toasts: unknown[]
    told: unknown[]
  }
  const isTyped = ({ value }: State) => (value ?? '') !== ''
  const reference: Reference<State> = {
    start: { work: 'loading', templates: null, chosen: null, value: null, failures: 0, toasts: [], told: [] },
    accepts: (state) => [
      ...when(state.work !== 'closed', 'dialog.dismissed'),
      ...when(state.work === 'loading', ...ends('loadTemplates')),
      ...when(state.work === 'waiting', 'xstate.after.retryDelay.messageTemplates.failed.waiting'),
      ...when(state.work === 'waiting' || state.work === 'refused', 'refetch.requested'),
      ...when(state.work === 'choosing', 'template.chosen'),
      ...when(state.work === 'editing', 'template.left', 'value.typed'),
      ...when(state.work === 'editing' && (state.chosen === plain || isTyped(state)), 'template.sent'),
      ...when(state.work === 'asking', 'discard.confirmed', 'discard.refused'),
    ],
    rules: {
      'xstate.done.actor.loadTemplates': (_, { output }) => ({ work: 'choosing', templates: output, failures: 0 }),
      'xstate.error.actor.loadTemplates': ({ failures, toasts }, { error }) => ({
        work: error === templateFaults.noAnswer ? 'waiting' : 'refused',
        failures: failures + 1,
        toasts: failures === 0 || error !== templateFaults.noAnswer ? [...toasts, 'told'] : toasts,
      }),
      'xstate.after.retryDelay.messageTemplates.failed.waiting': () => ({ work: 'loading' }),
      'refetch.requested': () => ({ work: 'loading', failures: 0 }),
      'template.chosen': ({ chosen, value }, { template }) => ({
        work: 'editing',
        chosen: template,
        value: template === chosen ? value : null,
      }),
      'template.left': () => ({ work: 'choosing' }),
      'value.typed': (_, { value }) => ({ value }),
      'template.sent': ({ chosen, value, told }) => ({
        work: 'closed',
        told: [
          ...told,
          chosen === plain
            ? sentOf('plain', plain.body)
            : sentOf('order_ready', `Hello ${value}, your order is ready.`, value ?? ''),
        ],
      }),
      'dialog.dismissed': (state) => {
        if (state.work === 'asking') return { work: 'editing' }
        return { work: isTyped(state) ? 'asking' : 'closed' }
      },
      'discard.confirmed': () => ({ work: 'closed' }),
      'discard.refused': () => ({ work: 'editing' }),
    },
    shown: ({ work, templates, chosen, value, toasts, told }) => ({
      isOpen: work !== 'closed',
      failed: work === 'waiting' || work === 'refused',
      asks: work === 'asking',
      templates,
      chosen: work === 'editing' || work === 'asking' ? chosen : null,
      values: value === null ? {} : { 'body:1': value },
      toasts: toasts.length,
      told,
    }),
  }

  it.each(
    messageTemplatesModel()
      .everyTransition()
      .map((path) => [path.title, path] as const),
  )('%s', async (_title, path) => {
    const clock = new SimulatedClock()
    const sut = startTemplates(coverage.inspect, clock)
    const drive = driverOf((event) => sut.actor.send(event), {
      calls: { loadTemplates: sut.load },
      delays: { retryDelay: () => clock.increment(60 * 60_000) },
    })
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      return {
        isOpen: snapshot.status === 'active',
        failed: selectHasFailed(snapshot),
        asks: selectAsksToDiscard(snapshot),
        templates: selectTemplates(snapshot),
        chosen: selectChosen(snapshot),
        values: selectValues(snapshot),
        toasts: sut.toasts.length,
        told: sut.told,
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
