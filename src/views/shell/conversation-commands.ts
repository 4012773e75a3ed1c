import { prefilledFrom } from '../../domain/client/client-linking.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { can } from '../../domain/session/permissions.ts'
import { t as clientText } from '../../texts/client-on-demand.ts'
import { t as listText } from '../../texts/list-on-demand.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { t as threadText } from '../../texts/thread-on-demand.ts'
import { openClientPage } from '../client-page-path.ts'
import { isApple } from '../components/is-apple.ts'
import {
  byKey,
  type Command,
  hasTargets,
  isOpen,
  mayChangeStates,
  mayOpenDialog,
  mayUse,
  opensFor,
  text,
} from './command.ts'

/** Commands about the open conversation and the marked rows, and keys that move between conversations. */
export const conversationCommands: readonly Command[] = [
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
    run: ({ runKeyCommand }) => runKeyCommand('back'),
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
    ...byKey('wake'),
    group: 'conversation',
    name: () => listText('list.wake'),
    isAllowed: mayChangeStates,
    isPossible: ({ isOneSnoozed }) => isOneSnoozed,
    isAboutStates: true,
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
  {
    ...byKey('undo'),
    group: 'inbox',
    name: text('shell.keyUndo'),
    isAllowed: mayChangeStates,
    isPossible: ({ canUndo }) => canUndo,
    isAboutStates: true,
  },
  {
    ...byKey('mute'),
    group: 'conversation',
    name: ({ areMuted }) => listText(areMuted ? 'list.unmute' : 'list.mute'),
    isAllowed: mayChangeStates,
    isPossible: hasTargets,
    isAboutStates: true,
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
]
