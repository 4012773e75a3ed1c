import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { Failure } from '../domain/failure.ts'
import { newKey } from '../domain/new-key.ts'
import { noRetries, type Retries } from '../domain/retries.ts'
import { haveSameValues } from '../domain/same-fields.ts'
import type { ToastText } from '../domain/toast.ts'
import {
  emptyItemForm,
  type ItemFormContext,
  type ItemFormEvent,
  itemFormActions,
  itemFormGuards,
} from './item-forms.ts'
import { askingToDiscard, leavingForm } from './leaving-forms.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { afterFailedCreation } from './on-failure.ts'
import {
  afterFailedRead,
  readingActions,
  readingDelays,
  readingGuards,
  refetchTo,
  waitingOrRefused,
} from './reading.ts'
import { type SessionReport, tellSession } from './session-events.ts'

/** `id`: the key under which the item is created, so that a second press or a retry creates one. */
type Known<Input, Facts> = { input: Input; facts: Facts; id: string }

/** The code of a refusal, and the fields that were refused. */
export type Refused<Fields> = { code: string; fields: Fields }

type Context<Input, Facts, Fields> = Retries &
  Known<Input, Facts> &
  ItemFormContext<null, Fields> & {
    /** The fields before anything was typed. */
    untouched: Fields
    /** The last refusal that has a code; null if there is none. */
    refused: Refused<Fields> | null
  }

type Parts<Input, Facts, Fields extends object, Body> = {
  id: string
  /** The facts until they are loaded. */
  facts: Facts
  empty: (known: { input: Input; facts: Facts }) => Fields
  blockedReason: (fields: Fields, refused: Refused<Fields> | null) => string | null
  bodyOf: (fields: Fields, known: Known<Input, Facts>) => Body
  toasts: { loadFailed: ToastText; created: ToastText; saveFailed: ToastText }
  /** The text of the form after a save without an answer. */
  perhapsSaved: () => string
  /** The report to the session after the creation. */
  report: (input: Input) => SessionReport
}

/**
 * A dialog with the form of one new item, which needs facts from the server. Typed text survives every failure. The body
 * has an id that this form chose, so a save that is repeated after a lost answer creates nothing twice.
 */
export function creationForm<Input, Facts, Fields extends object, Body>({
  id,
  facts: noFacts,
  empty,
  blockedReason,
  bodyOf,
  toasts,
  perhapsSaved,
  report,
}: Parts<Input, Facts, Fields, Body>) {
  const machine = setup({
    types: {
      context: {} as Context<Input, Facts, Fields>,
      events: {} as ItemFormEvent<Fields> | { type: 'refetch.requested' },
      input: {} as Input,
    },
    actors: {
      loadFacts: fromPromise<Facts, { of: Input }>(mustBeProvided('loadFacts')),
      create: fromPromise<void, { body: Body }>(mustBeProvided('create')),
    },
    delays: readingDelays,
    guards: {
      ...readingGuards,
      ...itemFormGuards,
      'is complete': ({ context }) => blockedReason(context.fields, context.refused) === null,
      'has no typed text': ({ context }) => haveSameValues(context.fields, context.untouched),
    },
    actions: {
      ...readingActions,
      ...itemFormActions(perhapsSaved),
      tellSession,
      'keep the facts': assign(({ context }, { facts }: { facts: Facts }) => {
        const fields = empty({ input: context.input, facts })
        return { facts, fields, untouched: fields, ...noRetries }
      }),
      'keep the refusal': assign({
        refused: ({ context: { fields } }, { error }: { error: unknown }) =>
          error instanceof Failure && error.code !== undefined ? { code: error.code, fields } : null,
      }),
    },
  }).createMachine({
    id,
    context: ({ input }) => {
      const fields = empty({ input, facts: noFacts })
      const item = { item: null, ...emptyItemForm, fields, untouched: fields, refused: null }
      return { input, facts: noFacts, id: newKey(), ...item, ...noRetries }
    },
    initial: 'loading',
    states: {
      loading: {
        invoke: {
          id: 'loadFacts',
          src: 'loadFacts',
          input: ({ context }) => ({ of: context.input }),
          onDone: {
            target: 'editing',
            actions: { type: 'keep the facts', params: ({ event }) => ({ facts: event.output }) },
          },
          onError: afterFailedRead(toasts.loadFailed),
        },
        on: { 'dialog.dismissed': 'closed' },
      },
      failed: {
        ...waitingOrRefused(`#${id}.loading`),
        on: { ...refetchTo('loading'), 'dialog.dismissed': 'closed' },
      },
      editing: {
        on: {
          'fields.typed': { actions: { type: 'keep the typed fields', params: ({ event }) => event } },
          'form.submitted': { guard: 'is complete', target: 'saving' },
          ...leavingForm,
        },
      },
      leaving: askingToDiscard('closed'),
      saving: {
        entry: 'store the attempt',
        invoke: {
          id: 'create',
          src: 'create',
          input: ({ context: { fields, input, facts, id: key } }) => ({
            body: bodyOf(fields, { input, facts, id: key }),
          }),
          onDone: {
            target: 'closed',
            actions: [
              { type: 'notify', params: toasts.created },
              { type: 'tellSession', params: ({ context }) => report(context.input) },
            ],
          },
          onError: afterFailedCreation('editing', toasts.saveFailed).map(({ actions, ...rest }) => ({
            ...rest,
            actions: [
              ...actions,
              {
                type: 'keep the refusal' as const,
                params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }),
              },
            ],
          })),
        },
      },
      closed: { type: 'final' },
    },
  })

  type Snapshot = SnapshotFrom<typeof machine>

  return {
    machine,
    selectFacts: (snapshot: Snapshot): Facts => snapshot.context.facts,
    selectInput: (snapshot: Snapshot): Input => snapshot.context.input,
    /** The form is not shown yet: the facts are not loaded. */
    selectIsLoading: (snapshot: Snapshot): boolean => snapshot.matches('loading'),
    selectHasFailed: (snapshot: Snapshot): boolean => snapshot.matches('failed'),
    /** The reason why the item cannot be created; null if it can. */
    selectBlockedReason: (snapshot: Snapshot): string | null =>
      blockedReason(snapshot.context.fields, snapshot.context.refused),
    selectRefused: (snapshot: Snapshot): Refused<Fields> | null => snapshot.context.refused,
  }
}
