import type { Invariant } from './invariants.ts'

type Edit = { file: string; find: string; replace: string }
/** Several edits where the product prevents the same thing more than once. */
export type DeliberateFault = Edit | readonly Edit[]

/** One fault of the product for each invariant, which the simulation must find. */
export const deliberateFaults: Record<Invariant, DeliberateFault> = {
  // The server ignores the idempotency key.
  'sends once': {
    file: 'server/api/sending.ts',
    find: 'c.req.header(keyHeader) ?? randomUUID()',
    replace: 'randomUUID()',
  },
  // A message does not wait for those before it.
  'order is kept': {
    file: 'src/domain/send/outgoing.ts',
    find: '!busy.has(recipient.conversationId)',
    replace: '(busy, recipient.conversationId)',
  },
  // The first byte of a file is lost.
  'files arrive as chosen': {
    file: 'server/files/outgoing-files.ts',
    find: 'yield chunk',
    replace: 'yield chunk.subarray(1)',
  },
  // The server ignores the key of an answer to a comment.
  'an answer leaves once': {
    file: 'server/api/comments.ts',
    find: "const key = c.req.header(keyHeader) ?? ''",
    replace: "const key = (c.req.header(keyHeader) ?? '') + Date.now()",
  },
  // A private reply that may have arrived counts as none, for the rules and for the database.
  'one private reply for a comment': [
    {
      file: 'server/network/comments/stored-comment-sends.ts',
      find: 'isPrivateReplyOpen: isOpen,',
      replace: 'isPrivateReplyOpen: false,',
    },
    {
      file: 'server/database/migrations.ts',
      find: "readFileSync(new URL(file, directory), 'utf8')",
      replace:
        "readFileSync(new URL(file, directory), 'utf8').replace('create unique index comment_sends_private', 'create index comment_sends_private')",
    },
  ],
  // More is given away in a live sale than there is.
  'a claim makes one order': {
    file: 'server/network/comments/live-sales.ts',
    find: 'const isLeft = stock === null ||',
    replace: 'const isLeft = true ||',
  },
  // A comment that its writer has deleted stays.
  'comments equal the network': {
    file: 'server/network/comments/store-comments.ts',
    find: ".where('removed_at', 'is', null)",
    replace: ".where('removed_at', 'is not', null)",
  },
  // The first version of a row of a shop stays.
  'the shop is stored': {
    file: 'server/shops/store-shop-rows.ts',
    find: 'return before === undefined || compare(row, { isOwnRecord: before.is_own_record, version: before.version }) >= 0',
    replace: 'return before === undefined',
  },
  // A refusal counts as a delivery.
  'an event is delivered': {
    file: 'server/webhooks-out/webhooks-out.ts',
    find: 'const isDelivered = status >= 200 && status < 300',
    replace: 'const isDelivered = status >= 200',
  },
  // The orders of a merged client stay where they are.
  'merge then undo restores': {
    file: 'server/database/client-merges.ts',
    find: 'if (merge.orders.length > 0)',
    replace: 'if (merge.orders.length > 1_000)',
  },
  // A double click is taken for two drafts.
  'one draft is one message': {
    file: 'src/machines/send/outbox.ts',
    find: '!context.acceptedDrafts.includes(draftId)',
    replace: 'true',
  },
  // A new message does not raise the unread count of its conversation.
  'counts equal rows': {
    file: 'server/database/migrations.ts',
    find: "readFileSync(new URL(file, directory), 'utf8')",
    replace:
      "readFileSync(new URL(file, directory), 'utf8').replace('unread_messages = c.unread_messages + change.unread', 'unread_messages = c.unread_messages')",
  },
  // An automatic answer ends the wait of a person.
  'who waits is waiting': {
    file: 'server/database/migrations.ts',
    find: "readFileSync(new URL(file, directory), 'utf8')",
    replace:
      "readFileSync(new URL(file, directory), 'utf8').replace(\"coalesce(idempotency_key, '') not like 'auto-reply:%'\", 'true')",
  },
  // An assignment is no event.
  'the history ends with the state': {
    file: 'server/database/migrations.ts',
    find: "readFileSync(new URL(file, directory), 'utf8')",
    replace:
      "readFileSync(new URL(file, directory), 'utf8').replace('new.assigned_to,\\n      new.muted_at, new.label_ids)', 'old.assigned_to,\\n      new.muted_at, new.label_ids)')",
  },
  // What was written before an erasure is stored again.
  'erased stays erased': {
    file: 'server/people/erased-people.ts',
    find: 'JSON.stringify([pageId, psid])',
    replace: 'JSON.stringify([pageId, psid, Date.now()])',
  },
  // Live is shown before anything has caught up.
  'live is live': {
    file: 'src/machines/shell/realtime.ts',
    find: "always: { guard: 'both channels are ready', target: 'resyncing' }",
    replace: "always: { guard: 'both channels are ready', target: 'live' }",
  },
  // Every message belongs to the open thread.
  'own conversation': {
    file: 'src/domain/thread/thread-belonging.ts',
    find: 'return message.primary_user_id === primary',
    replace: 'return true',
  },
  // The row of a sent message does not take the place of its temporary one.
  'one bubble': {
    file: 'src/domain/thread/thread-messages.ts',
    find: 'if (temporary) dropTemporary(batch, temporary, row)\n',
    replace: '',
  },
  // The text of a note is sent as a message.
  'no note leaves': {
    file: 'src/machines/thread/notes.ts',
    find: 'texts: ({ context }, { conversationId, text }: TypedNote) => ({',
    replace:
      "texts: ({ context, system }, { conversationId, text }: TypedNote) => (system.get('outbox').send({ type: 'send.requested', draftId: text, conversationId, pageId: null, platform: null, text }), {",
  },
  // Sockets of ended sessions stay open.
  'ended access is ended': {
    file: 'server/database/migrations.ts',
    find: "readFileSync(new URL(file, directory), 'utf8')",
    replace:
      "readFileSync(new URL(file, directory), 'utf8').replaceAll(\"perform tell_processes(json_build_object('access'\", \"perform concat('', json_build_object('access'\")",
  },
  // A file that the store refused counts as stored.
  'files go with messages': {
    file: 'server/files/stored-files.ts',
    find: 'await store.put(storage_key, content(), signal)',
    replace: 'await store.put(storage_key, content(), signal).catch(() => undefined)',
  },
  // An order is stored with another total.
  'imported is stored': {
    file: 'server/imports/store-imports.ts',
    find: 'return { ...values, order_number: number,',
    replace: 'return { ...values, total_amount: 0, order_number: number,',
  },
  // A second promise of a send that nobody handles.
  'no unhandled error': {
    file: 'server/network/send/shared-runs.ts',
    find: 'const result = work().finally(() => running.delete(id))',
    replace: 'const result = work(); void result.finally(() => running.delete(id))',
  },
  // A full storage is an error.
  'the app does not break': {
    file: 'src/services/send/outbox-storage.ts',
    find: '  } catch {\n    return otherwise',
    replace: '  } catch (error) {\n    if (otherwise === undefined) throw error\n    return otherwise',
  },
  // What is in a batch that fails is never due again.
  'comes to rest': {
    file: 'server/network/webhooks/webhook-worker.ts',
    find: 'found = await processOneByOne(isRunning)',
    replace:
      "await db.updateTable('webhook_inbox').set({ due_at: never }).where('processed_at', 'is', null).execute(); return",
  },
  // What is in a batch that fails counts as processed.
  'database equals network': {
    file: 'server/network/webhooks/webhook-worker.ts',
    find: 'found = await processOneByOne(isRunning)',
    replace: "await db.updateTable('webhook_inbox').set({ processed_at: new Date(clock.now()) }).execute(); return",
  },
  // A message that was not sent yet is not kept over a closed tab.
  'meant is delivered or stands there': {
    file: 'src/services/send/outbox-storage.ts',
    find: 'messages.store(staffId, { ...outgoing, recipient: copied(outgoing.recipient) })',
    replace: 'void copied(outgoing.recipient)',
  },
  // The server asks for no permission.
  'nobody sees what they may not': {
    file: 'server/api/authentication.ts',
    find: "if (c.get('staff').permissions.includes(permission)) return next()",
    replace: 'if (permission) return next()',
  },
  // A link reaches one identity of a conversation alone.
  'one conversation owns a row': {
    file: 'server/database/groups.ts',
    find: "await trx.updateTable('fb_users').set({ client_id: clientId }).where('primary_user_id', '=', group).execute()",
    replace: "await trx.updateTable('fb_users').set({ client_id: clientId }).where('id', '=', group).execute()",
  },
  // The header's counts are not fetched again after a change.
  'client equals server': {
    file: 'src/machines/list/stats.ts',
    find: `'stats.invalidated': { target: 'debouncing', actions: 'mark the number as inexact' },
        'unread.changed': { target: 'debouncing', actions: 'count the change' },`,
    replace: '',
  },
}

/** The file of the script that finds the fault. */
export const scriptThatFinds = (invariant: string) =>
  `tests/simulation/scripts/finds-${invariant.replaceAll(' ', '-')}.json`
