import { labelNameOf } from '../../domain/list/label-use.ts'
import { isSaveable, queryOf, valuesOf } from '../../domain/list/saved-filters.ts'
import { viewOf } from '../../domain/list/views.ts'
import { offersOutstanding } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Appearance } from '../../machines/shell/appearance.ts'
import { conversationViews } from '../../schemas/conversation-state.ts'
import type { Label } from '../../schemas/label.ts'
import type { SavedFilter } from '../../schemas/saved-filter.ts'
import { t as listText } from '../../texts/list-on-demand.ts'
import { t as sendText } from '../../texts/send-on-demand.ts'
import { t as sessionText } from '../../texts/session-on-demand.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { t as syncText } from '../../texts/sync-on-demand.ts'
import { isApple } from '../components/is-apple.ts'
import { viewNames } from '../list/view-names.ts'
import { byKey, type Command, commandOf, mayOpenDialog, mayUse, opens, type TextId, text } from './command.ts'
import { accountDialogs, workDialogs } from './dialog-items.ts'

const appearances: readonly (readonly [Appearance, TextId])[] = [
  ['system', 'shell.system'],
  ['light', 'shell.light'],
  ['dark', 'shell.dark'],
]

const waitingOrders = [
  [undefined, 'list.waitingLongest'],
  ['urgent', 'list.waitingUrgent'],
] as const

/** Commands about the list, the dialogs of the inbox, and the settings of the person. */
export const inboxCommands: readonly Command[] = [
  ...conversationViews.map(
    (view): Command => ({
      ...byKey(`view:${view}`),
      group: 'views',
      name: () => listText(viewNames[view]),
      isAllowed: ({ offersStates }) => offersStates,
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
    ...byKey('newRows'),
    group: 'inbox',
    name: ({ newRows }) => (newRows > 0 ? listText('list.newAbove', { count: newRows }) : t('shell.keyNewRows')),
    isPossible: ({ newRows }) => newRows > 0,
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
    run: opens({ name: 'unsent', input: { asksAbout: null } }),
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
  {
    id: 'motion',
    group: 'settings',
    name: ({ isMotionReduced }) => t(isMotionReduced ? 'shell.showMotion' : 'shell.reduceMotion'),
    run: ({ reducedMotion }, { isMotionReduced }) =>
      reducedMotion.send({ type: 'motion.chosen', isReduced: !isMotionReduced }),
  },
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
    name: text('shared.signOut'),
    run: ({ signOut }) => signOut.send({ type: 'signOut.requested' }),
  },
]

/** Shows a saved filter. */
export const filterCommand = (filter: SavedFilter): Command => ({
  id: `filter:${filter.id}`,
  group: 'views',
  name: () => listText('list.filterNamed', { name: safeName(filter.name) }),
  run: ({ session }, { query }) => session.send({ type: 'query.opened', query: queryOf(filter, query) }),
})

/** Shows the conversations with a label. */
export const labelCommand = (label: Label): Command => ({
  id: `label:${label.id}`,
  group: 'views',
  name: () => listText('list.labelNamed', { name: labelNameOf(label) }),
  isPossible: ({ query }) => query.labelId !== label.id,
  run: ({ chooseLabel }) => chooseLabel(label.id),
})
