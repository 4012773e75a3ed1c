import type { Conversation } from '../../schemas/conversation.ts'
import type { ListQuery } from './list-query.ts'

/** The first `count` rows. */
export type TopRequest = { query: ListQuery; count: number }

/** A page of 20, counted from 1. */
export type ListPageRequest = { query: ListQuery; page: number }

/** Rows of the server's list, newest first. */
export type ListAnswer = {
  rows: readonly Conversation[]
  /** The number of rows left out because they could not be read; none if absent. */
  unreadable?: number
  hasNext: boolean
  /** The number of rows that match the query, on all pages. */
  total: number
}
