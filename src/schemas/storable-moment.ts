import * as z from 'zod/mini'
import { moment } from './primitives.ts'

/** Years that the database knows, in milliseconds since 1970. */
const [firstTime, lastTime] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')]

/** A time that the database can store. */
export const storableMoment = moment.check(
  z.maxLength(40),
  z.refine(
    (text) => Date.parse(text) >= firstTime && Date.parse(text) <= lastTime,
    'not a time of the years 1 to 9999',
  ),
)
