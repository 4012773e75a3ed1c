import * as z from 'zod/mini'
import { answerOf, count } from './primitives.ts'
import { timeOfDay } from './time-of-day.ts'

/**
 * `spans` and `holidays` of one page; `name` in characters. `text` in bytes of UTF-8: with a person's name, it fits in one
 * message on each platform.
 */
export const businessHoursLimits = { pages: 200, spans: 50, holidays: 100, text: 900, name: 60 } as const

const encoder = new TextEncoder()
export const isAwayTextShort = (text: string): boolean => encoder.encode(text).length <= businessHoursLimits.text

/** A calendar date that exists. */
const date = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\d$/),
  z.refine((text) => {
    const parsed = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
  }, 'not a date'),
)

/** The hours in which the business answers on a page (feature 'business-hours'). */
const pageHours = z
  .object({
    is_on: z.boolean(),
    spans: z
      .array(
        z.object({
          /** The weekday on which the span begins; 0 is Sunday. */
          day: z.number().check(z.int(), z.minimum(0), z.maximum(6)),
          from: timeOfDay,
          /** On the next day, unless it is later than `from`. The same time means 24 hours. */
          to: timeOfDay,
        }),
      )
      .check(z.maxLength(businessHoursLimits.spans)),
    /** No hours begin on these dates. */
    holidays: z
      .array(z.object({ date, is_yearly: z.boolean(), name: z.string().check(z.maxLength(businessHoursLimits.name)) }))
      .check(z.maxLength(businessHoursLimits.holidays)),
    /** The away answer. May contain the placeholder `{userName}`. */
    text: z.string().check(z.refine(isAwayTextShort, 'too long')),
  })
  .check(
    z.refine(({ is_on, spans, text }) => !is_on || (spans.length > 0 && text.trim() !== ''), 'no hours or no text'),
  )
export type PageHours = z.infer<typeof pageHours>

/** The hours by page id. A page without an entry has none. */
const businessHours = z.object({
  pages: z
    .record(z.string().check(z.maxLength(100)), pageHours)
    .check(z.refine((pages) => Object.keys(pages).length <= businessHoursLimits.pages, 'too many pages')),
})
export type BusinessHours = z.infer<typeof businessHours>

/** `time_zone`: the IANA name of the time zone of the business. The version increases with every write. */
const savedBusinessHours = z.object({ settings: businessHours, version: count })
export const businessHoursAnswer = answerOf(z.extend(savedBusinessHours, { time_zone: z.string() }))

/** `replaces`: the version that the person saw. The server refuses the write if it stores another version. */
export const saveBusinessHoursBody = z.object({ settings: businessHours, replaces: count })

/** The hours on the server after the call. */
export const saveBusinessHoursAnswer = answerOf(z.extend(savedBusinessHours, { is_saved: z.boolean() }))
