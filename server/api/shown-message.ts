import type { ThreadMessage } from '../database/thread.ts'

/** A message as the API gives it (spec section 3). */
export const shownMessage = (message: ThreadMessage) => ({
  ...message,
  id: String(message.id),
  created_at: message.created_at.toISOString(),
  timestamp_fb: message.timestamp_fb.toISOString(),
})
