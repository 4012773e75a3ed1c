import type { Conversation } from '../../schemas/conversation.ts'
import type { ListQuery } from './list-query.ts'

/** Requests the first `count` rows. */
export type TopRequest = { query: ListQuery; count: number }

/** Requests a result page of 20 rows, counted from 1. */
export type ListPageRequest = { query: ListQuery; page: number }

/** Rows of the server's list, newest first. */
export type ListAnswer = {
  rows: readonly Conversation[]
  /** The number of rows omitted because they did not match the schema; 0 if absent. */
  unreadable?: number
  hasNext: boolean
  /** The number of rows that match the query, on all result pages. */
  total: number
}
