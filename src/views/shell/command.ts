import { mayTry } from '../../domain/session/permissions.ts'
import type { DialogName, DialogRequest } from '../../machines/shell/dialog.ts'
import { mayOpen } from '../../machines/shell/dialog-access.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { t } from '../../texts/shell-on-demand.ts'
import type { DialogItem } from './dialog-items.ts'
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

export const mayChangeStates = ({ mayChange }: Rights) => mayChange
export const mayOpenDialog =
  (dialog: DialogName) =>
  ({ user }: Rights) =>
    mayOpen(user, dialog)
export const mayUse =
  (permission: string) =>
  ({ user }: Rights) =>
    mayTry(user, permission)
export const isOpen = ({ conversation }: Situation) => conversation !== null
export const hasTargets = ({ ids }: Situation) => ids.length > 0

export const opens =
  (dialog: DialogRequest) =>
  ({ dialog: actor }: Receivers) =>
    actor.send({ type: 'dialog.requested', dialog })

/** Opens a dialog about the open conversation. */
export const opensFor =
  (request: (conversation: Conversation, user: AuthUser) => DialogRequest) =>
  ({ dialog }: Receivers, { conversation, user }: Situation) => {
    if (conversation !== null) dialog.send({ type: 'dialog.requested', dialog: request(conversation, user) })
  }

const keyNames: Readonly<Record<string, string>> = { M: '⇧M', U: '⇧U' }

/** The command that a key of the screen runs (`key-commands.ts`). */
export const byKey = (id: KeyCommand, ...alternatives: readonly string[]) => ({
  id,
  keys: [
    ...Object.entries(commandByKey).flatMap(([key, command]) => (command === id ? [keyNames[key] ?? key] : [])),
    ...alternatives,
  ],
  run: ({ runKeyCommand }: Receivers, { ids }: Situation) => runKeyCommand(id, ids),
})

export type TextId = Parameters<typeof t>[0]
export const text = (id: TextId) => () => t(id)

/** Opens a dialog that the account menu opens too. */
export const commandOf = ({ group, text: id, request }: DialogItem): Command => ({
  id,
  group,
  name: text(id),
  isAllowed: ({ user }) => mayOpen(user, request(user).name),
  run: ({ dialog }, { user }) => dialog.send({ type: 'dialog.requested', dialog: request(user) }),
})
