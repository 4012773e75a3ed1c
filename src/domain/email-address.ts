import * as z from 'zod/mini'

/** Whether a text, without the spaces around it, is what a browser's field of the type email accepts. */
export const isEmailAddress = (text: string): boolean => z.regexes.html5Email.test(text.trim())
