/** The global keyboard shortcuts and their descriptions. */
export const shortcuts = [
  { keys: ['j', '↓'], text: 'shell.keyNext' },
  { keys: ['k', '↑'], text: 'shell.keyPrevious' },
  { keys: ['Enter'], text: 'shell.keyOpen' },
  { keys: ['u'], text: 'shell.keyUnread' },
  { keys: ['r'], text: 'shell.keyReply' },
  { keys: ['/'], text: 'shell.keySearch' },
  { keys: ['Esc'], text: 'shell.keyBack' },
  { keys: ['?'], text: 'shell.keyList' },
] as const

/** The shortcuts that an API with views and states of conversations adds. `u` opens the next one that waits there. */
export const stateShortcuts = [
  { keys: ['u'], text: 'shell.keyWaiting' },
  { keys: ['e'], text: 'shell.keyDone' },
  { keys: ['s'], text: 'shell.keySnooze' },
  { keys: ['a'], text: 'shell.keyAssign' },
  { keys: ['l'], text: 'shell.keyLabels' },
  { keys: ['⇧U'], text: 'shell.keyMarkUnread' },
  { keys: ['x'], text: 'shell.keyMark' },
  { keys: ['z'], text: 'shell.keyUndo' },
] as const

/** The keyboard shortcuts inside a field. */
export const fieldShortcuts = [
  { keys: ['Enter'], text: 'shell.keySend' },
  { keys: ['Shift', 'Enter'], text: 'shell.keyLine' },
] as const

/** The keys in the text of a reply that an API with saved replies adds. */
export const replyShortcuts = [
  { keys: ['/'], text: 'shell.keySavedReply' },
  { keys: ['Alt', '1–3'], text: 'shell.keySuggestion' },
] as const
