/** The keys that act from anywhere but a field, and what the list of shortcuts says of them. */
export const shortcuts = [
  { keys: ['j', '↓'], text: 'Next conversation in the list' },
  { keys: ['k', '↑'], text: 'Conversation before it' },
  { keys: ['Enter'], text: 'Open it' },
  { keys: ['u'], text: 'Open the next unread conversation' },
  { keys: ['r'], text: 'Reply' },
  { keys: ['/'], text: 'Search' },
  { keys: ['Esc'], text: 'Back to the list' },
  { keys: ['?'], text: 'This list' },
] as const

/** Those of the fields. */
export const fieldShortcuts = [
  { keys: ['Enter'], text: 'Send the message' },
  { keys: ['Shift', 'Enter'], text: 'Break the line' },
] as const
