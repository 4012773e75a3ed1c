import type { Actor, ActorRefFrom } from 'xstate'
import { rowIdIn } from '../../src/domain/list/records.ts'
import { mayHaveArrived, type Outgoing } from '../../src/domain/send/outgoing.ts'
import { isQuotable } from '../../src/domain/send/reply-target.ts'
import { type appMachine, selectPhase } from '../../src/machines/app.ts'
import {
  selectHasFailed as selectListHasFailed,
  selectOrder,
  selectQuery,
} from '../../src/machines/list/conversations.ts'
import type { notesMachine } from '../../src/machines/thread/notes.ts'
import { selectHasFailed, selectIsInvalidated, selectMessages } from '../../src/machines/thread/thread.ts'
import { conversationViews, type StateDecision } from '../../src/schemas/conversation-state.ts'
import type { SimulatedBrowser } from './browser.ts'
import type { SimulatedClient } from './client.ts'
import { type CommentAnswer, workOnComments } from './comments.ts'
import { closeDialog, openDialog, workInDialog } from './dialogs.ts'
import { pages, regularStaff, staff, staffPassword } from './sandbox.ts'
import { createSends } from './sends.ts'

/** A message that a member of staff asked to send. */
export type Meant = {
  key: string
  /** Its text or what marks it in its text (`s12`), or the name of a file (`f12-0`). */
  text: string
  conversationId: string
  client: SimulatedClient
  /** The email address of the person who wrote it. */
  author: string
  /** How often a person asked to send it again although it may have arrived. */
  retries: number
  /** A person asked to send it again, so it may arrive after what was written later. */
  isAskedAgain: boolean
  /** It may be missing: it was discarded, the person signed out, or the browser could not store it. */
  isGivenUp: boolean
}

export type Session = NonNullable<ReturnType<typeof partsOf>>

/** The actors of a signed-in tab; null while there is no session. */
export function partsOf(app: Actor<typeof appMachine> | undefined) {
  const session = app?.getSnapshot().context.session
  if (!app || !session || session.getSnapshot().status !== 'active') return null
  const { records, conversations, outbox, thread, realtime, stats, dialog, pages } = session.getSnapshot().children
  if (!records || !conversations || !outbox || !realtime || !stats || !dialog || !pages) return null
  const { user } = session.getSnapshot().context
  return { session, user, records, conversations, outbox, thread, realtime, stats, dialog, pages }
}

/** The notes of a tab; undefined until their code has loaded. */
export const notesOf = ({ session }: Session): ActorRefFrom<typeof notesMachine> | undefined =>
  session.system.get('notes')

/** What staff decide about conversations; `others` are ids of staff, `labels` ids of labels. */
const decisions = (now: number, others: readonly string[], labels: readonly string[]): StateDecision[] => [
  { done: true },
  { done: true },
  { done: false },
  { snooze: { until: 'message' } },
  { snooze: { until: 'window' } },
  { snooze: { until: new Date(now + 90_000).toISOString() } },
  { snooze: null },
  { assigned_to: null },
  ...others.map((id) => ({ assigned_to: id })),
  { muted: true },
  { muted: false },
  { unread: true },
  ...labels.flatMap((id) => [{ labels: { add: [id], remove: [] } }, { labels: { add: [], remove: [id] } }]),
]

/** The people at the browsers, one for each tab. Those at the tabs of one browser are the same person. */
export function createStaff(clients: readonly SimulatedClient[], browsers: readonly SimulatedBrowser[]) {
  const meant: Meant[] = []
  return clients.map((client) => createStaffMember(client, browsers.indexOf(client.browser), meant))
}

/** What staff do in one tab. Each call is one event of the tab; without a session it does nothing. */
function createStaffMember(client: SimulatedClient, index: number, allMeant: Meant[]) {
  const { email } = regularStaff[index % regularStaff.length] ?? staff[0]
  const { browser } = client
  /** What was written at this browser. */
  const meantHere = () => allMeant.filter((one) => one.client.browser === browser)
  const outgoingOf = ({ outbox }: Session): readonly Outgoing[] => outbox.getSnapshot().context.outgoing
  const nth = <Item>(items: readonly Item[], which: number): Item | undefined =>
    items[which % Math.max(items.length, 1)]

  const act = (label: string, work: (parts: Session) => void) =>
    client.run(label, () => {
      const parts = partsOf(client.app())
      if (parts !== null) work(parts)
    })

  const signIn = (as: string) =>
    client.run('signs in', () => {
      const app = client.app()
      if (app === undefined || selectPhase(app.getSnapshot()) !== 'signedOut') return
      // Unsent messages stay for the next sign-in of the same person alone.
      for (const one of meantHere()) if (one.author !== as) one.isGivenUp = true
      app.system.get('auth').send({ type: 'signIn.requested', email: as, password: staffPassword })
    })
  const signOut = () =>
    client.run('signs out', () => {
      if (partsOf(client.app()) === null) return
      for (const one of meantHere()) one.isGivenUp = true
      client.app()?.system.get('auth').send({ type: 'signOut.requested' })
    })

  const select = ({ session }: Session, id: string) => {
    session.send({ type: 'conversation.selected', id })
    // A screen shows the newest messages.
    act('sees the end', ({ thread }) => thread?.send({ type: 'end.seen' }))
  }

  /** The conversation on which the mouse is pressed. */
  let pressed: string | null = null
  const answers: CommentAnswer[] = []
  const sends = createSends(
    act,
    (meant) => allMeant.push({ ...meant, client, retries: 0, isAskedAgain: false, isGivenUp: false }),
    (detail) => client.faults.push(`one draft is one message: ${detail}`),
  )

  return {
    client,
    /** Who regularly works here. */
    email,
    meantHere,
    ...sends,
    /** What stands in the outbox. */
    outgoing: () => {
      const parts = partsOf(client.app())
      return parts === null ? null : outgoingOf(parts)
    },
    signIn: () => signIn(email),
    /** Another person takes the place: signs the present one out, or signs in where nobody is. */
    signInAnother: (which: number) => {
      if (partsOf(client.app()) === null) signIn(nth(staff, which)?.email ?? email)
      else signOut()
    },
    signOut,
    /** Signs out who does not regularly work here. */
    signOutOthers: () => {
      const user = partsOf(client.app())?.user
      if (user !== undefined && user.email !== email) signOut()
    },
    /** Presses the mouse on a conversation. Two of three next openings are of it, at any later time; the others of another. */
    press: (which: number) =>
      act('presses a conversation', ({ conversations, session }) => {
        pressed = nth(selectOrder(conversations.getSnapshot()), which) ?? null
        if (pressed !== null) session.send({ type: 'conversation.pressed', id: pressed })
      }),
    open: (which: number) =>
      act('opens a conversation', (parts) => {
        const any = nth(selectOrder(parts.conversations.getSnapshot()), which)
        const id = which % 3 === 1 ? any : (pressed ?? any)
        pressed = null
        if (id !== undefined) select(parts, id)
      }),
    /** Opens the conversation of a person, by the id in `fb_users`. */
    openConversationOf: (fbUserId: string) =>
      act('opens a conversation', (parts) => {
        const id = rowIdIn(parts.records.getSnapshot().context.records, [fbUserId])
        if (id !== null) select(parts, id)
      }),
    leave: () => act('leaves the conversation', ({ session }) => session.send({ type: 'conversation.deselected' })),
    /** Reacts to one of the newest messages of the open conversation, or takes the reaction back. */
    react: (which: number) =>
      act('reacts', ({ thread, session }) => {
        const newest = thread === undefined ? [] : selectMessages(thread.getSnapshot()).filter(isQuotable).slice(-4)
        const message = nth(newest, which)
        const emoji = nth(['❤', '❤', null], which) ?? null
        if (message === undefined) return
        session.system.get('reactions')?.send({ type: 'reaction.chosen', messageId: message.message_id, emoji })
      }),
    retry: (which: number) =>
      act('retries', (parts) => {
        const one = nth(outgoingOf(parts), which)
        if (!one) return
        const known = allMeant.find(({ key }) => key === one.key)
        if (known && mayHaveArrived(one)) known.retries += 1
        if (known) known.isAskedAgain = true
        parts.outbox.send({ type: 'send.retried', key: one.key })
      }),
    discard: (which: number) =>
      act('discards', (parts) => {
        const one = nth(
          outgoingOf(parts).filter(({ status }) => status !== 'pending'),
          which,
        )
        const known = allMeant.find(({ key }) => key === one?.key)
        if (known) known.isGivenUp = true
        if (one) parts.outbox.send({ type: 'send.discarded', key: one.key })
      }),
    filterByPage: (which: number) =>
      act('filters', ({ session }) =>
        session.send({
          type: 'page.chosen',
          pageId: nth([null, null, ...pages.map((page) => page.page_id)], which) ?? null,
        }),
      ),
    search: (which: number) =>
      act('searches', ({ conversations }) =>
        conversations.send({ type: 'search.typed', text: nth(['', '', 'First', 'Last1'], which) ?? '' }),
      ),
    chooseUnread: (which: number) =>
      act('chooses unread', ({ conversations }) =>
        conversations.send({ type: 'unreadOnly.chosen', unreadOnly: which % 3 === 0 }),
      ),
    refresh: () => act('refreshes', ({ session }) => session.send({ type: 'refetch.requested' })),
    syncRecent: () => act('syncs', ({ session }) => session.send({ type: 'recentSync.requested' })),
    /** Shows the whole list again, and presses retry where something could not be loaded. */
    reload: () =>
      act('reloads', ({ session, conversations, thread, stats }) => {
        const query = selectQuery(conversations.getSnapshot())
        if (query.search !== '') conversations.send({ type: 'search.typed', text: '' })
        if (query.unreadOnly) conversations.send({ type: 'unreadOnly.chosen', unreadOnly: false })
        if (query.pageId !== null) session.send({ type: 'page.chosen', pageId: null })
        if (selectListHasFailed(conversations.getSnapshot())) session.send({ type: 'refetch.requested' })
        if (stats.getSnapshot().context.failures > 0) stats.send({ type: 'refetch.requested' })
        const shown = thread?.getSnapshot()
        if (shown && (selectHasFailed(shown) || selectIsInvalidated(shown))) thread?.send({ type: 'refetch.requested' })
      }),
    /** Decides about one to three conversations of the list. */
    changeStates: (which: number, staffIds: readonly string[], labelIds: readonly string[]) =>
      act('changes states', ({ session, conversations }) => {
        const order = selectOrder(conversations.getSnapshot())
        const first = which % Math.max(order.length, 1)
        const ids = order.slice(first, first + 1 + (which % 3))
        const decision = nth(decisions(Date.now(), staffIds, labelIds), Math.floor(which / 8))
        if (decision !== undefined && ids.length > 0) session.send({ type: 'change.requested', ids, decision })
      }),
    undo: () => act('undoes', ({ session }) => session.send({ type: 'undo.requested' })),
    chooseView: (which: number) =>
      act('chooses a view', ({ session }) =>
        session.send({ type: 'view.chosen', view: nth(conversationViews, which) ?? 'all' }),
      ),
    writeNote: (text: string) =>
      act('writes a note', (parts) => {
        const notes = notesOf(parts)
        notes?.send({ type: 'note.typed', text })
        notes?.send({ type: 'note.submitted', members: [] })
      }),
    deleteNote: (which: number) =>
      act('deletes a note', (parts) => {
        const notes = notesOf(parts)
        const own = notes?.getSnapshot().context.notes.filter((note) => note.staff_id === parts.user.id)
        const note = nth(own ?? [], which)
        if (note !== undefined) notes?.send({ type: 'note.removed', id: note.id })
      }),
    /** The next thing that a person does with comments. `text` is for an answer. */
    workOnComments: (which: number, text: string) =>
      act('works on comments', (parts) => workOnComments(parts, which, text, answers)),
    answers,
    openDialog: (which: number) => act('opens a dialog', (parts) => openDialog(parts, which)),
    workInDialog: (which: number) => act('works in a dialog', (parts) => workInDialog(parts, which)),
    closeDialog: () => act('closes a dialog', closeDialog),
    /** The tab closes: what was not stored is gone. */
    close: () => {
      for (const one of meantHere()) {
        const isStored = [...browser.stored.keys()].some((key) => key.endsWith(one.key))
        if (!isStored) one.isGivenUp ||= browser.hasBeenFull()
      }
      client.close()
    },
  }
}

export type StaffMember = ReturnType<typeof createStaffMember>
