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

/** The keyboard shortcuts inside a field. */
export const fieldShortcuts = [
  { keys: ['Enter'], text: 'shell.keySend' },
  { keys: ['Shift', 'Enter'], text: 'shell.keyLine' },
] as const
