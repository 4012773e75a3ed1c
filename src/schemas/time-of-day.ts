import * as z from 'zod/mini'

/** Hours and minutes of a day, 00:00 to 23:59. */
export const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))
