import * as z from 'zod/mini'

/** Whether a text, trimmed, is accepted by a browser's `type="email"` input. */
export const isEmailAddress = (text: string): boolean => z.regexes.html5Email.test(text.trim())
