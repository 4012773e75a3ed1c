import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import { pageDialogToasts } from '../../domain/pages/dialog-toasts.ts'
import type { PictureScope, RefreshedPictures } from '../../domain/pages/pages-calls.ts'
import type { Page, PageDeletion } from '../../schemas/page.ts'
import { afterDismissal, formListGuards, type ListEvent, listLeadingTo } from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { pageFormMachine } from './page-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    pageManager: typeof pageManagerMachine
  }
}

type Context = {
  /** The page to edit or delete; null for a new page. */
  item: Page | null
  /** The data that is deleted with the page; null if unknown. */
  deletion: PageDeletion | null
  scope: PictureScope
}

export type PageManagerEvent = ListEvent<Page> | { type: 'pictures.requested'; scope: PictureScope }

const outcomeOf = ({ message, failures }: RefreshedPictures) =>
  failures.length === 0
    ? { ...pageDialogToasts.pictures, text: message ?? pageDialogToasts.pictures.text }
    : ({
        kind: 'warning',
        text: `${message ?? pageDialogToasts.pictures.text}. ${failures.map((page) => `${page.page_name}: ${page.error}`).join(' ')}`,
      } as const)

/** The dialog 'Manage Facebook Pages' (spec section 2). The session holds the list of pages. */
export const pageManagerMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PageManagerEvent,
    children: {} as { pageForm: 'pageForm' },
  },
  actors: {
    pageForm: pageFormMachine,
    loadDeletion: fromPromise<PageDeletion, { pageId: string }>(mustBeProvided('loadDeletion')),
    deletePage: fromPromise<string | null, { pageId: string }>(mustBeProvided('deletePage')),
    refreshPictures: fromPromise<RefreshedPictures, { scope: PictureScope }>(mustBeProvided('refreshPictures')),
  },
  guards: formListGuards,
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    'keep the item': assign({ item: (_, { item }: { item: Page | null }) => item, deletion: null }),
    'keep the deletion scope': assign({ deletion: (_, { deletion }: { deletion: PageDeletion }) => deletion }),
    'keep the scope': assign({ scope: (_, { scope }: { scope: PictureScope }) => scope }),
    'request close of the form': sendTo('pageForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'pageManager',
  context: { item: null, deletion: null, scope: 'pages' },
  initial: 'open',
  states: {
    open: {
      entry: { type: 'tellSession', params: { type: 'pages.invalidated' } },
      type: 'parallel',
      states: {
        work: {
          initial: 'list',
          states: {
            list: listLeadingTo('#pageManager.dismissed'),
            form: {
              invoke: {
                id: 'pageForm',
                src: 'pageForm',
                input: ({ context }) => ({ page: context.item }),
                onDone: [afterDismissal('#pageManager.dismissed'), { target: 'list' }],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            asking: {
              initial: 'lookingUp',
              on: { 'deletion.cancelled': 'list' },
              states: {
                lookingUp: {
                  invoke: {
                    id: 'loadDeletion',
                    src: 'loadDeletion',
                    input: ({ context }) => ({ pageId: context.item?.page_id ?? '' }),
                    onDone: {
                      target: 'known',
                      actions: { type: 'keep the deletion scope', params: ({ event }) => ({ deletion: event.output }) },
                    },
                    onError: 'unknown',
                  },
                },
                known: { on: { 'deletion.confirmed': '#pageManager.open.work.deleting' } },
                unknown: { on: { 'deletion.confirmed': '#pageManager.open.work.deleting' } },
              },
            },
            deleting: {
              invoke: {
                id: 'deletePage',
                src: 'deletePage',
                input: ({ context }) => ({ pageId: context.item?.page_id ?? '' }),
                onDone: {
                  target: 'list',
                  actions: [
                    {
                      type: 'notify',
                      params: ({ event }) => ({
                        ...pageDialogToasts.deleted,
                        text: event.output ?? pageDialogToasts.deleted.text,
                      }),
                    },
                    { type: 'tellSession', params: { type: 'pages.changed' } },
                  ],
                },
                onError: {
                  target: 'list',
                  actions: [
                    reportFailure(pageDialogToasts.deleteFailed, { refused: pageDialogToasts.deleteRefused }),
                    // The page may have been deleted although the answer was lost.
                    { type: 'tellSession', params: { type: 'pages.invalidated' } },
                  ],
                },
              },
            },
          },
        },
        pictures: {
          initial: 'idle',
          states: {
            idle: {
              on: {
                'pictures.requested': {
                  target: 'refreshing',
                  actions: { type: 'keep the scope', params: ({ event }) => event },
                },
              },
            },
            refreshing: {
              invoke: {
                id: 'refreshPictures',
                src: 'refreshPictures',
                input: ({ context }) => ({ scope: context.scope }),
                onDone: {
                  target: 'idle',
                  actions: [
                    { type: 'notify', params: ({ event }) => outcomeOf(event.output) },
                    { type: 'tellSession', params: { type: 'pages.invalidated' } },
                  ],
                },
                onError: {
                  target: 'idle',
                  actions: {
                    type: 'notify failure',
                    params: ({ context, event }) => ({
                      error: event.error,
                      own: pageDialogToasts.picturesFailed[context.scope],
                    }),
                  },
                },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type PageManagerActor = ActorRefFrom<typeof pageManagerMachine>

type Snapshot = SnapshotFrom<typeof pageManagerMachine>

/** The open form; undefined while the list is shown. */
export const selectPageForm = (snapshot: Snapshot) => snapshot.children.pageForm

/** The scope of the running picture refresh; null if none runs. */
export const selectRefreshing = (snapshot: Snapshot): PictureScope | null =>
  snapshot.matches({ open: { pictures: 'refreshing' } }) ? snapshot.context.scope : null

export type DeletionStep = 'lookingUp' | 'known' | 'unknown' | 'deleting'

/** The current step of the question whether to delete a page; null if the question is not shown. */
export const selectDeletionStep = (snapshot: Snapshot): DeletionStep | null => {
  if (snapshot.matches({ open: { work: 'deleting' } })) return 'deleting'
  const steps = ['lookingUp', 'known', 'unknown'] as const
  return steps.find((asking) => snapshot.matches({ open: { work: { asking } } })) ?? null
}

export const selectPage = (snapshot: Snapshot): Page | null => snapshot.context.item
export const selectDeletion = (snapshot: Snapshot): PageDeletion | null => snapshot.context.deletion
