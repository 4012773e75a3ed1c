import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { newKey } from '../../domain/new-key.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { contentOf, isFilled, type TemplateValues, textOfTemplate } from '../../domain/send/message-templates.ts'
import { messageTemplateToasts } from '../../domain/send/message-templates-toasts.ts'
import type { MessageTemplate } from '../../schemas/structured-message.ts'
import { askingToDiscard, type FormDismissal } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { createSendAction } from '../system.ts'
import type { OutboxEvent } from './outbox.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    messageTemplates: typeof messageTemplatesMachine
  }
}

/** The page must be on Messenger: Instagram has no templates. */
type Input = {
  /** The row id. */
  conversationId: string
  pageId: string
  newKey?: () => string
}

type Context = Retries & {
  conversationId: string
  pageId: string
  /** One message at most comes out of the dialog. */
  draftId: string
  /** Null until they are loaded. */
  templates: readonly MessageTemplate[] | null
  chosen: MessageTemplate | null
  /** By place and name, see `valueKey`. */
  values: TemplateValues
}

export type MessageTemplatesEvent =
  | { type: 'refetch.requested' }
  | { type: 'template.chosen'; template: MessageTemplate }
  | { type: 'template.left' }
  | { type: 'value.typed'; key: string; value: string }
  | { type: 'template.sent' }
  | FormDismissal

const tellOutbox = createSendAction<OutboxEvent>((event, { system, self }) => [
  { to: system.get('outbox') ?? self, event },
])

/** The dialog that sends an approved template of a page: choose, fill in, look at the preview, send. */
export const messageTemplatesMachine = setup({
  types: { context: {} as Context, events: {} as MessageTemplatesEvent, input: {} as Input },
  actors: {
    loadTemplates: fromPromise<readonly MessageTemplate[], { pageId: string }>(mustBeProvided('loadTemplates')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'has no typed text': ({ context: { values } }) => Object.values(values).every((value) => value.trim() === ''),
    'is filled': ({ context: { chosen, values } }) => chosen !== null && isFilled(chosen, values),
  },
  actions: {
    ...readingActions,
    tellOutbox,
    'keep the templates': assign((_, { templates }: { templates: readonly MessageTemplate[] }) => ({
      templates,
      ...noRetries,
    })),
    'keep the chosen template': assign(({ context }, { template }: { template: MessageTemplate }) => ({
      chosen: template,
      values: template.id === context.chosen?.id ? context.values : {},
    })),
    'keep the value': assign({
      values: ({ context: { values } }, { key, value }: { key: string; value: string }) => ({
        ...values,
        [key]: value,
      }),
    }),
  },
}).createMachine({
  id: 'messageTemplates',
  context: ({ input: { conversationId, pageId, newKey: key = newKey } }) => ({
    conversationId,
    pageId,
    draftId: key(),
    templates: null,
    chosen: null,
    values: {},
    ...noRetries,
  }),
  initial: 'loading',
  on: { 'dialog.dismissed': '.leaving' },
  states: {
    loading: {
      invoke: {
        id: 'loadTemplates',
        src: 'loadTemplates',
        input: ({ context: { pageId } }) => ({ pageId }),
        onDone: {
          target: 'choosing',
          actions: { type: 'keep the templates', params: ({ event }) => ({ templates: event.output }) },
        },
        onError: afterFailedRead(messageTemplateToasts.failed),
      },
    },
    failed: failedRead('#messageTemplates.loading'),
    choosing: {
      on: {
        'template.chosen': {
          target: 'editing',
          actions: { type: 'keep the chosen template', params: ({ event }) => event },
        },
      },
    },
    editing: {
      on: {
        'value.typed': { actions: { type: 'keep the value', params: ({ event }) => event } },
        'template.left': 'choosing',
        'template.sent': {
          guard: 'is filled',
          target: 'closed',
          actions: { type: 'tellOutbox', params: ({ context }) => sendOf(context) },
        },
      },
    },
    leaving: askingToDiscard('closed'),
    closed: { type: 'final' },
  },
})

function sendOf({ conversationId, pageId, draftId, chosen, values }: Context): OutboxEvent {
  if (chosen === null) throw new Error('a template is sent because it was chosen')
  const structured = contentOf(chosen, values)
  const text = textOfTemplate(chosen, structured)
  return { type: 'send.requested', draftId, conversationId, pageId, platform: 'messenger', text, structured }
}

type Snapshot = SnapshotFrom<typeof messageTemplatesMachine>

/** Null until they are loaded. */
export const selectTemplates = ({ context }: Snapshot): readonly MessageTemplate[] | null => context.templates
/** The template that is being filled in; null while one is chosen from the list. */
export const selectChosen = (snapshot: Snapshot): MessageTemplate | null =>
  snapshot.matches('editing') || snapshot.matches('leaving') ? snapshot.context.chosen : null
export const selectValues = ({ context }: Snapshot): TemplateValues => context.values
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectAsksToDiscard = (snapshot: Snapshot): boolean => snapshot.matches('leaving')
