import { prefilledFrom } from '../../domain/client/client-linking.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { labelNameOf } from '../../domain/list/label-use.ts'
import { isSaveable, queryOf, valuesOf } from '../../domain/list/saved-filters.ts'
import { viewOf } from '../../domain/list/views.ts'
import { offers, offersOutstanding } from '../../domain/session/features.ts'
import { can, mayTry } from '../../domain/session/permissions.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Appearance } from '../../machines/shell/appearance.ts'
import type { DialogName, DialogRequest } from '../../machines/shell/dialog.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { conversationViews, type StateDecision } from '../../schemas/conversation-state.ts'
import type { Label } from '../../schemas/label.ts'
import type { SavedFilter } from '../../schemas/saved-filter.ts'
import { t as clientText } from '../../texts/client-on-demand.ts'
import { t as listText } from '../../texts/list-on-demand.ts'
import { t as sendText } from '../../texts/send-on-demand.ts'
import { t as sessionText } from '../../texts/session-on-demand.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { t as syncText } from '../../texts/sync-on-demand.ts'
import { t as threadText } from '../../texts/thread-on-demand.ts'
import { openClientPage } from '../client-page-path.ts'
import { isApple } from '../components/is-apple.ts'
import { newRowsButton } from '../list/new-rows-button.ts'
import { viewNames } from '../list/view-names.ts'
import { accountDialogs, type DialogItem, workDialogs } from './dialog-items.ts'
import { commandByKey, type KeyCommand } from './key-commands.ts'
import type { Receivers, Rights, Situation } from './use-situation.ts'

export type CommandGroup = 'conversation' | 'inbox' | 'views' | 'settings'

export type Command = {
  id: string
  /** The group in the palette; null for a command that has only a key. */
  group: CommandGroup | null
  name: (situation: Situation) => string
  /** The keys that run the command, as they are shown. */
  keys?: readonly string[]
  /** Whether the API and the permissions of the person allow the command. Always if absent. */
  isAllowed?: (rights: Rights) => boolean
  /** Whether there is something to act on. Always if absent. */
  isPossible?: (situation: Situation) => boolean
  /** The command is about the states of conversations, which an API may not have. */
  isAboutStates?: true
  /** Sends the event of the command. A command without an event has only a key, which another element handles. */
  run?: (receivers: Receivers, situation: Situation) => void
}

const mayChangeStates = ({ mayChange }: Rights) => mayChange
const mayOpenDialog =
  (dialog: DialogName) =>
  ({ user }: Rights) =>
    mayOpen(user, dialog)
const mayUse =
  (permission: string) =>
  ({ user }: Rights) =>
    mayTry(user, permission)
const isOpen = ({ conversation }: Situation) => conversation !== null
const hasTargets = ({ ids }: Situation) => ids.length > 0

const opens =
  (dialog: DialogRequest) =>
  ({ dialog: actor }: Receivers) =>
    actor.send({ type: 'dialog.requested', dialog })

/** Opens a dialog about the open conversation. */
const opensFor =
  (request: (conversation: Conversation, user: AuthUser) => DialogRequest) =>
  ({ dialog }: Receivers, { conversation, user }: Situation) => {
    if (conversation !== null) dialog.send({ type: 'dialog.requested', dialog: request(conversation, user) })
  }

/** Changes the state of the open conversation. */
const decides =
  (decision: (conversation: Conversation) => StateDecision) =>
  ({ session }: Receivers, { conversation }: Situation) => {
    if (conversation === null) return
    session.send({ type: 'change.requested', ids: [rowIdOf(conversation)], decision: decision(conversation) })
  }

const isMuted = ({ conversation }: Situation) => conversation?.state?.muted_at != null

const keyNames: Readonly<Record<string, string>> = { U: '⇧U' }

/** The command that a key of the screen runs (`key-commands.ts`). */
const byKey = (id: KeyCommand, ...alternatives: readonly string[]) => ({
  id,
  keys: [
    ...Object.entries(commandByKey).flatMap(([key, command]) => (command === id ? [keyNames[key] ?? key] : [])),
    ...alternatives,
  ],
  run: ({ screen }: Receivers) => screen[id]?.(),
})

type TextId = Parameters<typeof t>[0]
const text = (id: TextId) => () => t(id)

/** Opens a dialog that the account menu opens too. */
const commandOf = ({ group, text: id, request }: DialogItem): Command => ({
  id,
  group,
  name: text(id),
  isAllowed: ({ user }) => mayOpen(user, request(user).name),
  run: ({ dialog }, { user }) => dialog.send({ type: 'dialog.requested', dialog: request(user) }),
})

const appearances: readonly (readonly [Appearance, TextId])[] = [
  ['system', 'shell.system'],
  ['light', 'shell.light'],
  ['dark', 'shell.dark'],
]

const waitingOrders = [
  [undefined, 'list.waitingLongest'],
  ['urgent', 'list.waitingUrgent'],
] as const

/**
 * Every command. The palette offers those with a group; the dialog of shortcuts lists those with keys. What is offered
 * to nobody elsewhere, because of the API or a permission, is not offered here either.
 */
const commands: readonly Command[] = [
  { ...byKey('next', '↓'), group: null, name: text('shell.keyNext') },
  { ...byKey('previous', '↑'), group: null, name: text('shell.keyPrevious') },
  { id: 'open', keys: ['Enter'], group: null, name: text('shell.keyOpen') },
  {
    ...byKey('nextConversation'),
    group: 'inbox',
    name: ({ offersStates }) => t(offersStates ? 'shell.keyWaiting' : 'shell.keyUnread'),
  },
  {
    ...byKey('reply'),
    group: 'conversation',
    name: text('shell.keyReply'),
    isAllowed: ({ mayWrite }) => mayWrite,
    isPossible: isOpen,
  },
  {
    ...byKey('note'),
    group: 'conversation',
    name: text('shell.keyNote'),
    isAllowed: ({ mayNote }) => mayNote,
    isPossible: isOpen,
  },
  { ...byKey('search'), group: 'inbox', name: text('shell.keySearch') },
  {
    id: 'back',
    keys: ['Esc'],
    group: 'conversation',
    name: text('shell.keyBack'),
    isPossible: isOpen,
    run: ({ screen }) => screen.back?.(),
  },
  {
    ...byKey('done'),
    group: 'conversation',
    name: ({ areDone }) => listText(areDone ? 'list.reopen' : 'list.done'),
    isAllowed: mayChangeStates,
    isPossible: hasTargets,
    isAboutStates: true,
  },
  {
    ...byKey('snooze'),
    group: 'conversation',
    name: () => listText('list.snooze'),
    isAllowed: mayChangeStates,
    isPossible: hasTargets,
    isAboutStates: true,
  },
  {
    id: 'wake',
    group: 'conversation',
    name: () => listText('list.wake'),
    isAllowed: mayChangeStates,
    isPossible: ({ conversation }) => conversation?.state?.snoozed_at != null,
    run: decides(() => ({ snooze: null })),
  },
  {
    ...byKey('assign'),
    group: 'conversation',
    name: () => listText('list.assign'),
    isAllowed: mayChangeStates,
    isPossible: hasTargets,
    isAboutStates: true,
  },
  {
    ...byKey('labels'),
    group: 'conversation',
    name: () => listText('list.labels'),
    isAllowed: (rights) => rights.mayChange && mayOpenDialog('labels')(rights),
    isPossible: hasTargets,
    isAboutStates: true,
  },
  {
    id: 'markRead',
    group: 'conversation',
    name: () => threadText('thread.markAsRead'),
    isAllowed: mayUse('conversations.mark_read'),
    isPossible: ({ isUnread }) => isUnread,
    run: ({ thread }) => thread?.send({ type: 'read.requested' }),
  },
  {
    ...byKey('markUnread'),
    group: 'conversation',
    name: () => listText('list.markUnread'),
    isAllowed: mayChangeStates,
    isPossible: hasTargets,
    isAboutStates: true,
  },
  { ...byKey('mark'), group: null, name: text('shell.keyMark'), isAllowed: mayChangeStates, isAboutStates: true },
  {
    id: 'markRange',
    keys: ['⇧↓', '⇧↑'],
    group: null,
    name: text('shell.keyMarkRange'),
    isAllowed: mayChangeStates,
    isAboutStates: true,
  },
  {
    id: 'markAll',
    keys: [isApple() ? '⌘A' : t('shell.keyCtrlA')],
    group: 'inbox',
    name: text('shell.keyMarkAll'),
    isAllowed: mayChangeStates,
    isAboutStates: true,
    run: ({ displayedList }) => displayedList.send({ type: 'all.marked' }),
  },
  { ...byKey('undo'), group: 'inbox', name: text('shell.keyUndo'), isAllowed: mayChangeStates, isAboutStates: true },
  {
    id: 'mute',
    group: 'conversation',
    name: (situation) => listText(isMuted(situation) ? 'list.unmute' : 'list.mute'),
    isAllowed: mayChangeStates,
    isPossible: ({ conversation }) => conversation?.state !== undefined,
    run: decides(({ state }) => ({ muted: state?.muted_at == null })),
  },
  {
    id: 'linkClient',
    group: 'conversation',
    name: () => clientText('client.linkTo'),
    isAllowed: mayOpenDialog('linkClient'),
    isPossible: ({ conversation }) => conversation !== null && conversation.client_id == null,
    run: opensFor((conversation) => ({
      name: 'linkClient',
      input: { conversationId: rowIdOf(conversation), prefilled: prefilledFrom(conversation) },
    })),
  },
  {
    id: 'viewClient',
    group: 'conversation',
    name: () => clientText('client.viewClient'),
    isPossible: ({ conversation }) => conversation?.client_id != null,
    run: (_, { conversation }) => {
      if (conversation?.client_id == null) return
      openClientPage(conversation.client_id)
    },
  },
  {
    id: 'chats',
    group: 'conversation',
    name: () => clientText('client.chats'),
    isAllowed: mayOpenDialog('chats'),
    isPossible: isOpen,
    run: opensFor((conversation) => ({ name: 'chats', input: { conversationId: rowIdOf(conversation) } })),
  },
  {
    id: 'personalData',
    group: 'conversation',
    name: () => clientText('client.personalData'),
    isAllowed: mayOpenDialog('personalData'),
    isPossible: isOpen,
    run: opensFor((conversation, user) => ({
      name: 'personalData',
      input: {
        conversationId: rowIdOf(conversation),
        name: nameOf(conversation),
        mayExport: can(user, 'persons.export'),
        mayErase: can(user, 'persons.erase'),
      },
    })),
  },
  {
    id: 'syncConversation',
    group: 'conversation',
    name: () => threadText('thread.syncConversation'),
    isAllowed: mayUse('sync.run'),
    isPossible: ({ conversation, isSyncingConversation }) =>
      conversation?.page_id != null && conversation.psid != null && !isSyncingConversation,
    run: ({ conversationSync }, { conversation }) => {
      if (conversation?.page_id == null || conversation.psid == null) return
      const { page_id: pageId, psid, platform } = conversation
      const subject = { pageId, psid, platform: platform ?? ('messenger' as const) }
      conversationSync.send({ type: 'conversationSync.requested', subject })
    },
  },
  ...conversationViews.map(
    (view): Command => ({
      id: `view:${view}`,
      group: 'views',
      name: () => listText(viewNames[view]),
      isAllowed: ({ offersStates }) => offersStates,
      run: ({ session }) => session.send({ type: 'view.chosen', view }),
    }),
  ),
  ...waitingOrders.map(
    ([order, name]): Command => ({
      id: `order:${order ?? 'longest'}`,
      group: 'views',
      name: () => listText(name),
      isAllowed: ({ user, offersStates }) => offersStates && offersOutstanding(user),
      isPossible: ({ query }) => viewOf(query) !== 'waiting' || query.order !== order,
      run: ({ session }, { query }) =>
        session.send({ type: 'query.opened', query: { ...query, search: '', view: 'waiting', order } }),
    }),
  ),
  {
    id: 'allLabels',
    group: 'views',
    name: () => listText('list.allLabels'),
    isPossible: ({ query }) => query.labelId !== undefined,
    run: ({ chooseLabel }) => chooseLabel(undefined),
  },
  {
    id: 'newRows',
    group: 'inbox',
    name: ({ newRows }) => listText('list.newAbove', { count: newRows }),
    isPossible: ({ newRows }) => newRows > 0,
    run: () => newRowsButton()?.click(),
  },
  {
    id: 'saveFilter',
    group: 'views',
    name: () => listText('list.filterSave'),
    isAllowed: mayOpenDialog('savedFilterManager'),
    isPossible: ({ savedFilters, query }) => isSaveable(savedFilters, query),
    run: ({ dialog }, { query }) =>
      dialog.send({
        type: 'dialog.requested',
        dialog: { name: 'savedFilterManager', input: { values: valuesOf(query) } },
      }),
  },
  {
    id: 'refresh',
    group: 'inbox',
    name: text('shell.refreshConversations'),
    run: ({ session }) => session.send({ type: 'refetch.requested' }),
  },
  {
    id: 'unsent',
    group: 'inbox',
    name: () => sendText('send.unsent'),
    isPossible: ({ unsentCount }) => unsentCount > 0,
    run: opens({ name: 'unsent' }),
  },
  {
    id: 'syncRecent',
    group: 'inbox',
    name: text('shell.syncRecentTitle'),
    isAllowed: mayUse('sync.run'),
    isPossible: ({ isSyncingRecent }) => !isSyncingRecent,
    run: ({ session }) => session.send({ type: 'recentSync.requested' }),
  },
  {
    id: 'historySync',
    group: 'inbox',
    name: () => syncText('sync.historyTitle'),
    isAllowed: mayOpenDialog('historySync'),
    run: ({ dialog, pageId }) =>
      dialog.send({ type: 'dialog.requested', dialog: { name: 'historySync', input: { pageId: pageId() } } }),
  },
  { id: 'autoSync', group: 'inbox', name: () => syncText('sync.autoSync'), run: opens({ name: 'autoSyncControl' }) },
  { id: 'pages', group: 'inbox', name: text('shared.managePages'), run: opens({ name: 'pageManager' }) },
  { id: 'faq', group: 'inbox', name: text('shell.manageFaq'), run: opens({ name: 'faq' }) },
  {
    id: 'alarms',
    group: 'inbox',
    name: text('shell.alarms'),
    isAllowed: ({ areAlarmsKnown }) => areAlarmsKnown,
    run: opens({ name: 'alarms' }),
  },
  {
    id: 'labelManager',
    group: 'inbox',
    name: () => listText('list.manageLabels'),
    isAllowed: mayOpenDialog('labelManager'),
    run: opens({ name: 'labelManager' }),
  },
  ...workDialogs.filter(({ group }) => group === 'inbox').map(commandOf),
  ...appearances.map(
    ([appearance, name]): Command => ({
      id: `appearance:${appearance}`,
      group: 'settings',
      name: () => t('shell.appearanceNamed', { name: t(name) }),
      isPossible: (situation) => situation.appearance !== appearance,
      run: (receivers) => receivers.appearance.send({ type: 'appearance.chosen', appearance }),
    }),
  ),
  { ...byKey('shortcuts'), group: 'settings', name: text('shell.keyList') },
  {
    id: 'palette',
    keys: [isApple() ? '⌘K' : t('shell.keyCtrlK')],
    group: null,
    name: text('shell.keyPalette'),
  },
  ...workDialogs.filter(({ group }) => group === 'settings').map(commandOf),
  {
    id: 'problemReport',
    group: 'settings',
    name: text('shell.reportAProblem'),
    run: ({ problemReport }) => problemReport.send({ type: 'report.requested' }),
  },
  ...accountDialogs.map(commandOf),
  {
    id: 'sharedComputer',
    group: 'settings',
    name: ({ isSharedComputer }) => sessionText(isSharedComputer ? 'session.ownComputer' : 'session.sharedComputer'),
    run: ({ sharedComputer, deviceCache }, { isSharedComputer }) => {
      sharedComputer.send({ type: 'sharedComputer.chosen', isShared: !isSharedComputer })
      deviceCache.send({ type: 'sharedComputer.changed' })
    },
  },
  {
    id: 'signOut',
    group: 'settings',
    name: text('shell.signOut'),
    run: ({ signOut }) => signOut.send({ type: 'signOut.requested' }),
  },
]

/** Shows a saved filter. */
const filterCommand = (filter: SavedFilter): Command => ({
  id: `filter:${filter.id}`,
  group: 'views',
  name: () => listText('list.filterNamed', { name: safeName(filter.name) }),
  run: ({ session }, { query }) => session.send({ type: 'query.opened', query: queryOf(filter, query) }),
})

/** Shows the conversations with a label. */
const labelCommand = (label: Label): Command => ({
  id: `label:${label.id}`,
  group: 'views',
  name: () => listText('list.labelNamed', { name: labelNameOf(label) }),
  isPossible: ({ query }) => query.labelId !== label.id,
  run: ({ chooseLabel }) => chooseLabel(label.id),
})

/** The commands of the palette, those that are not offered now too. */
export const commandsIn = ({ savedFilters, labels }: Situation): readonly Command[] => [
  ...commands,
  ...savedFilters.map(filterCommand),
  ...labels.map(labelCommand),
]

/** Whether the palette offers the command now. */
export const isOffered = ({ group, isAllowed, isPossible }: Command, situation: Situation): boolean =>
  group !== null && isAllowed?.(situation) !== false && isPossible?.(situation) !== false

/** The commands with keys that this person may use, whether or not there is something to act on. */
export const commandsWithKeys = (rights: Rights): Command[] =>
  commands.filter(({ keys, isAllowed }) => keys !== undefined && isAllowed?.(rights) !== false)

const fieldKeys = [
  { id: 'send', keys: ['Enter'], name: text('shell.keySend') },
  { id: 'line', keys: ['Shift', 'Enter'], name: text('shell.keyLine') },
] as const

/** The keys in the text of a reply that an API with saved replies adds. */
const replyKeys = [
  { id: 'savedReply', keys: ['/'], name: text('shell.keySavedReply') },
  { id: 'suggestion', keys: ['Alt', '1–3'], name: text('shell.keySuggestion') },
] as const

/** The keys inside a field, which edit text and run no command. */
export const fieldKeysOf = ({ user }: Rights) =>
  offers(user, 'saved-replies') ? [...fieldKeys, ...replyKeys] : fieldKeys
