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
  M: 'mute',
  w: 'wake',
  x: 'mark',
  z: 'undo',
  '.': 'newRows',
  1: 'view:waiting',
  2: 'view:mine',
  3: 'view:unassigned',
  4: 'view:all',
  5: 'view:snoozed',
  6: 'view:done',
} as const

export type KeyCommand = (typeof commandByKey)[keyof typeof commandByKey]

/**
 * What the commands of the screen do. Commands that the API or a permission rules out are missing. `named`: the row ids of
 * the conversations that the palette names; undefined for a key.
 */
export type KeyCommands = Readonly<Partial<Record<KeyCommand | 'back', (named?: readonly string[]) => void>>>

/** Runs a command of the screen. Returns whether there is such a command now. */
export type RunKeyCommand = (id: KeyCommand | 'back', named?: readonly string[]) => boolean

const KeyCommandsContext = createContext<RunKeyCommand>(() => false)

export const KeyCommandsProvider = KeyCommandsContext

export const useRunKeyCommand = () => use(KeyCommandsContext)
