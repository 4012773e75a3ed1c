import { offers } from '../../domain/session/features.ts'
import { type Command, text } from './command.ts'
import { conversationCommands } from './conversation-commands.ts'
import { filterCommand, inboxCommands, labelCommand } from './inbox-commands.ts'
import type { Rights, Situation } from './use-situation.ts'

/**
 * Every command. The palette offers those with a group; the dialog of shortcuts lists those with keys. What is offered
 * to nobody elsewhere, because of the API or a permission, is not offered here either.
 */
const commands: readonly Command[] = [...conversationCommands, ...inboxCommands]

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
