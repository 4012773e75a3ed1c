import { createContext, use } from 'react'

/** The commands that a key runs, by key. The palette and the dialog of shortcuts show the keys. */
export const commandByKey = {
  '/': 'search',
  '?': 'shortcuts',
  j: 'next',
  k: 'previous',
  u: 'nextConversation',
  r: 'reply',
  n: 'note',
  e: 'done',
  s: 'snooze',
  a: 'assign',
  l: 'labels',
  U: 'markUnread',
  x: 'mark',
  z: 'undo',
} as const

export type KeyCommand = (typeof commandByKey)[keyof typeof commandByKey]

/** What the commands of the screen do. Commands that the API or a permission rules out are missing. */
export type KeyCommands = Readonly<Partial<Record<KeyCommand | 'back', () => void>>>

const KeyCommandsContext = createContext<KeyCommands>({})

export const KeyCommandsProvider = KeyCommandsContext

export const useKeyCommands = () => use(KeyCommandsContext)
