import * as z from 'zod/mini'
import { count } from './primitives.ts'

export const pagination = z.object({
  page: count,
  limit: count,
  total: count,
  totalPages: count,
  hasNext: z.boolean(),
  hasPrev: z.boolean(),
})
