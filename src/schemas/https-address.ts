import * as z from 'zod/mini'
import { structuredLimits } from './structured-limits.ts'

/** Whether this is a whole https address without a user name. */
export function isHttpsAddress(value: string): boolean {
  const url = /^[^\s\p{Cc}]+$/u.test(value) ? URL.parse(value) : null
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname.includes('.')
}

export const httpsAddress = z
  .string()
  .check(z.trim(), z.maxLength(structuredLimits.url), z.refine(isHttpsAddress, 'not an https address'))
