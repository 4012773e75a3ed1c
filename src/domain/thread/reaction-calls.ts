/** The reaction of the page to a message; a null emoji takes it back. */
export type Reacted = { messageId: string; emoji: string | null }
