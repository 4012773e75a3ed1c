import type { ThreadMessage } from '../database/thread.ts'

/** A message in the form of the API (spec section 3). */
export const toApiMessage = (message: ThreadMessage) => ({
  ...message,
  id: String(message.id),
  created_at: message.created_at.toISOString(),
  timestamp_fb: message.timestamp_fb.toISOString(),
})
