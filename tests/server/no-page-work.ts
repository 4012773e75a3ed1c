import type { PageWork } from '../../server/api/api.ts'
import type { CommentParts } from '../../server/api/comments.ts'
import type { CsvImports } from '../../server/imports/csv-imports.ts'
import type { UnconfirmedReplies } from '../../server/network/faq/unconfirmed-replies.ts'
import { createErasedPeople } from '../../server/people/erased-people.ts'
import type { Shops } from '../../server/shops/shops.ts'

/** How often a route called one of these services. */
export const calls = { count: 0 }

const none = () => {
  calls.count++
  return Promise.reject(new Error('this test manages no pages and erases nobody'))
}

/** A `PageWork` for tests that only list pages. */
export const noPageWork: PageWork = {
  facebookLogin: null,
  management: { checkTokens: none, verify: none, create: none, update: none, deletion: none, remove: none },
  pagePictures: { refreshAll: none },
  historySyncs: { find: none, start: none, cancel: none, status: none, createQueue: none, work: none },
  recent: { page: none, conversation: none, allPages: none },
  autoSync: { status: none, configure: none, start: none, stop: none, force: none, createQueue: none, work: none },
}

/** For tests that show nothing to customers. */
export const noSenderActions = { typing: () => undefined, left: () => undefined, seen: () => undefined }

/** For tests without comments. */
const noComments: CommentParts = { sends: { reply: none, decide: none }, changes: { change: none } }

/** For tests that erase nobody. */
export const noErasures = { beginPerson: none, find: none }

/** For tests without shops. */
export const noShops: Shops = { list: none, find: none, connect: none, sync: none, cancel: none, disconnect: none }

/** For tests that need none of these parts. No client was erased. */
export const noImports = {
  comments: noComments,
  reacting: { react: none },
  senderActions: noSenderActions,
  erasedPeople: createErasedPeople(new Uint8Array(32), 'PH'),
  csvImports: {
    find: none,
    work: none,
    list: none,
    begin: none,
    addPart: none,
    readFile: none,
    check: none,
    run: none,
    cancel: none,
    rows: none,
    refusedRows: () => {
      calls.count += 1
      throw new Error('this test imports no files')
    },
    sweep: none,
    resume: none,
    createQueue: none,
    start: none,
  } satisfies CsvImports,
  shops: noShops,
  webPush: { publicKey: '', origins: [] },
  webhooks: {
    endpoints: { list: none, create: none, change: none, delete: none, replaceSecret: none, test: none },
    wake: () => {},
  },
  templates: { list: none },
  outgoingFiles: { receive: none, discard: none, parts: { begin: none, receive: none, complete: none } },
  replyPictures: { of: none, keep: none, copy: none },
}

/** For tests without decisions about automatic replies. */
export const noUnconfirmedReplies: UnconfirmedReplies = {
  decide: () => Promise.reject(new Error('this test does not decide about automatic replies')),
}
