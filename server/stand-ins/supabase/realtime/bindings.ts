import * as z from 'zod/mini'
import type { Change } from './changes.ts'

/** A subscription from a channel's join. The reply repeats the bindings in the same order. */
export type Binding = {
  id: number
  event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  schema: string
  table?: string | undefined
  filter?: string | undefined
}

const requestedBinding = z.object({
  event: z.enum(['*', 'INSERT', 'UPDATE', 'DELETE']),
  schema: z.string(),
  table: z.optional(z.string()),
  filter: z.optional(z.string().check(z.regex(/^\w+=eq\..*$/s))),
  select: z.optional(z.never()),
})

/** The payload of `phx_join`, as far as the stand-in supports it. */
export const joinPayload = z.object({
  config: z.optional(z.object({ postgres_changes: z.optional(z.array(requestedBinding).check(z.maxLength(100))) })),
  access_token: z.nullish(z.string()),
})

const matchesFilter = (filter: string, change: Change): boolean => {
  const at = filter.indexOf('=eq.')
  const row = change.type === 'DELETE' ? change.old_record : change.record
  const value = row[filter.slice(0, at)]
  return value !== undefined && value !== null && String(value) === filter.slice(at + '=eq.'.length)
}

export const matches = ({ event, schema, table, filter }: Binding, change: Change): boolean =>
  (event === '*' || event === change.type) &&
  (schema === '*' || schema === change.schema) &&
  (table === undefined || table === '*' || table === change.table) &&
  (filter === undefined || matchesFilter(filter, change))
