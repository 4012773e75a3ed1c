import { createActor, type InspectionEvent, SimulatedClock } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { messageTemplatesMachine } from '../../../src/machines/send/message-templates.ts'
import type { MessageTemplate } from '../../../src/schemas/structured-message.ts'
import { createControl, createToastLog, modelOf } from '../harness.ts'

const templateOf = (template: Partial<MessageTemplate> & { id: string }): MessageTemplate => ({
  name: template.id,
  language: 'en',
  header: null,
  body: 'Your order is ready.',
  buttons: [],
  ...template,
})

export const ready = templateOf({ id: 'order_ready', body: 'Hello {{1}}, your order is ready.' })
export const plain = templateOf({ id: 'plain' })
export const templates = [ready, plain]
export const templateFaults = {
  noAnswer: new Failure({ method: 'GET', path: '/templates', kind: 'noAnswer' }),
  refused: new Failure({ method: 'GET', path: '/templates', kind: 'status', status: 422 }),
}

export const messageTemplatesModel = () =>
  modelOf(messageTemplatesMachine, {
    input: { conversationId: 'ana', pageId: 'p1', newKey: () => 'draft-1' },
    vertex: ({ context: { chosen, values } }) => [chosen?.id, values],
    cases: {
      'xstate.done.actor.loadTemplates': [{ output: templates }],
      'xstate.error.actor.loadTemplates': [{ error: templateFaults.noAnswer }, { error: templateFaults.refused }],
      'xstate.after.retryDelay.messageTemplates.failed.waiting': [{}],
      'refetch.requested': [{}],
      'template.chosen': templates.map((template) => ({ template })),
      'template.left': [{}],
      'value.typed': ['', 'Ana'].map((value) => ({ key: 'body:1', value })),
      'template.sent': [{}],
      'dialog.dismissed': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
    },
  })

export function startTemplates(inspect?: (event: InspectionEvent) => void, clock = new SimulatedClock()) {
  const load = createControl<readonly MessageTemplate[], { pageId: string }>()
  const log = createToastLog()
  const told: unknown[] = []
  const actor = createActor(
    messageTemplatesMachine.provide({
      actors: { loadTemplates: load.logic },
      actions: { tellOutbox: (_, event) => void told.push(event) },
    }),
    {
      clock,
      input: { conversationId: 'ana', pageId: 'p1', newKey: () => 'draft-1' },
      inspect: (event) => {
        log.inspect(event)
        inspect?.(event)
      },
    },
  ).start()
  return { actor, load, told, toasts: log.toasts }
}
