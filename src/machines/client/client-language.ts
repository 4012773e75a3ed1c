import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { ClientLanguageRequest } from '../../domain/client/client-calls.ts'
import { languageToasts } from '../../domain/client/dialog-toasts.ts'
import type { Client } from '../../schemas/client.ts'
import type { CustomerLanguage } from '../../schemas/customer-language.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { notify } from '../system.ts'
import { clientsIn, tellClients } from './clients.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    clientLanguage: typeof clientLanguageMachine
  }
}

type Input = { clientId: string; language: CustomerLanguage }

/** `language` is the one of the client; `chosen` is the one to save. */
type Context = Input & {
  chosen: CustomerLanguage
  /** The number of the last link when the change was requested. */
  askedAsOf: number
}

/** The dialog in which staff choose the language of the summaries for a client. */
export const clientLanguageMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'language.chosen'; language: CustomerLanguage } | { type: 'dialog.dismissed' },
    input: {} as Input,
  },
  actors: { saveLanguage: fromPromise<Client, ClientLanguageRequest>(mustBeProvided('saveLanguage')) },
  guards: {
    'is the language of the client': ({ context }, { language }: { language: CustomerLanguage }) =>
      context.language === language,
  },
  actions: {
    notify,
    tellClients,
    'notify failure': notifyFailure,
    'keep the choice': assign({
      chosen: (_, { language }: { language: CustomerLanguage }) => language,
      askedAsOf: ({ system }) => clientsIn(system).sequence,
    }),
    'forget the choice': assign({ chosen: ({ context }) => context.language }),
  },
}).createMachine({
  id: 'clientLanguage',
  context: ({ input }) => ({ ...input, chosen: input.language, askedAsOf: 0 }),
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        'language.chosen': [
          { guard: { type: 'is the language of the client', params: ({ event }) => event }, target: 'closed' },
          { target: 'saving', actions: { type: 'keep the choice', params: ({ event }) => event } },
        ],
        'dialog.dismissed': 'closed',
      },
    },
    saving: {
      invoke: {
        id: 'saveLanguage',
        src: 'saveLanguage',
        input: ({ context: { clientId, chosen } }) => ({ clientId, language: chosen }),
        onDone: {
          target: 'closed',
          actions: [
            {
              type: 'tellClients',
              params: ({ context, event }) => ({
                type: 'clients.fetched',
                clients: [event.output],
                asOf: context.askedAsOf,
              }),
            },
            { type: 'notify', params: languageToasts.saved },
          ],
        },
        onError: { target: 'choosing', actions: [reportFailure(languageToasts.failed), 'forget the choice'] },
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof clientLanguageMachine>

/** The language of the client, or the one that is being saved. */
export const selectLanguage = (snapshot: Snapshot): CustomerLanguage => snapshot.context.chosen
export const selectIsSaving = (snapshot: Snapshot): boolean => snapshot.matches('saving')
