import * as z from 'zod/mini'
import { answerOf, id, moment } from './primitives.ts'

/** `text` in characters, `mentions` for one note, `notes` for one conversation. */
export const noteLimits = { text: 2_000, mentions: 20, notes: 500 } as const

/**
 * An internal note of staff (feature 'notes'); also a row of the realtime table `notes`. Shares no type with messages, so
 * that no code can take one for the other.
 */
export const note = z.object({
  id,
  primary_user_id: id,
  /** The staff member who wrote the note. */
  staff_id: z.nullable(id),
  text: z.string(),
  /** The ids of the staff members who are mentioned. */
  mentions: z.array(id),
  created_at: moment,
})
export type Note = z.infer<typeof note>

export const noteBody = z.object({
  /** Chosen by the browser. A retry with the same id stores the note once. */
  id: z.string().check(z.minLength(8), z.maxLength(64)),
  text: z.string().check(
    z.maxLength(noteLimits.text),
    z.refine((text) => text.trim() !== '', 'Text is required'),
  ),
  mentions: z.array(z.string().check(z.minLength(1), z.maxLength(64))).check(z.maxLength(noteLimits.mentions)),
})

/** All notes of a conversation, oldest first. */
export const notesAnswer = answerOf(z.object({ notes: z.array(note) }))
export const noteAnswer = answerOf(note)
