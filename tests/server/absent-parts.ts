import type { ApiParts } from '../../server/api/api.ts'
import { createErasedPeople } from '../../server/people/erased-people.ts'

/** How often a route called one of the absent parts. */
export const calls = { count: 0 }

const none = () => {
  calls.count++
  return Promise.reject(new Error('this part is absent from this test'))
}

/** For tests that show nothing to customers. */
export const noSenderActions = { typing: () => undefined, left: () => undefined, seen: () => undefined }

/** Parts of an API that refuse every call. No client was erased. */
export const absentParts = {
  sending: { send: none },
  pictures: { refreshPerson: none },
  unconfirmedReplies: { decide: none },
  erasures: { beginPerson: none, find: none },
  pageWork: {
    facebookLogin: null,
    management: { checkTokens: none, verify: none, create: none, update: none, deletion: none, remove: none },
    pagePictures: { refreshAll: none },
    historySyncs: { find: none, start: none, cancel: none, status: none, createQueue: none, work: none },
    recent: { page: none, conversation: none, allPages: none },
    autoSync: { status: none, configure: none, start: none, stop: none, force: none, createQueue: none, work: none },
  },
  comments: { sends: { reply: none, decide: none }, changes: { change: none } },
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
  },
  shops: { list: none, find: none, connect: none, sync: none, cancel: none, disconnect: none },
  webPush: { publicKey: '', origins: [] },
  webhooks: {
    endpoints: { list: none, create: none, change: none, delete: none, replaceSecret: none, test: none },
    wake: () => {},
  },
  templates: { list: none },
  outgoingFiles: { receive: none, discard: none, parts: { begin: none, receive: none, complete: none } },
  replyPictures: { of: none, keep: none, copy: none },
} satisfies Partial<ApiParts>
