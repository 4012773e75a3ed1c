import type { ConversationView } from '../../schemas/conversation-state.ts'

/** The text id of the name of each view. */
export const viewNames = {
  waiting: 'list.waiting',
  mine: 'list.mine',
  unassigned: 'list.unassigned',
  all: 'list.all',
  snoozed: 'list.viewSnoozed',
  done: 'list.viewDone',
} as const satisfies Record<ConversationView, string>
