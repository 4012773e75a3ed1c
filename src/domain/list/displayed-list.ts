import { isSameOrder, type ListOrder } from './conversation-list.ts'
import { type Records, rowById } from './records.ts'
import { isLate } from './views.ts'

/** The rows of a list from top to bottom. */
export type Arrangement = {
  readonly ids: ListOrder
  /** The number of late rows at the end. Only the view Waiting folds them away. */
  readonly late: number
}

export const emptyArrangement: Arrangement = { ids: [], late: 0 }

/** The order with the late rows at its end; `now` in milliseconds. The same object as before if equal. */
export function arranged(before: Arrangement, order: ListOrder, records: Records, now: number): Arrangement {
  const isLateRow = (id: string) => {
    const row = rowById(records, id)
    return row !== undefined && isLate(row, now)
  }
  const late = order.filter(isLateRow)
  const ids = [...order.filter((id) => !isLateRow(id)), ...late]
  const isSame = before.late === late.length && isSameOrder(before.ids, ids)
  return isSame ? before : { ids, late: late.length }
}

/** The length of the longest part of the numbers that is in ascending order. */
function longestAscent(numbers: readonly number[]): number {
  /** The smallest last number of an ascent of each length. */
  const ends: number[] = []
  for (const number of numbers) {
    const at = ends.findIndex((end) => end >= number)
    ends[at < 0 ? ends.length : at] = number
  }
  return ends.length
}

/** The number of rows that are new or have moved, compared with the shown order. */
export function waitingCount(shown: ListOrder, latest: ListOrder): number {
  if (shown === latest) return 0
  const places = new Map(shown.map((id, index) => [id, index]))
  const common = latest.flatMap((id) => places.get(id) ?? [])
  return latest.length - longestAscent(common)
}

/**
 * The shown rows while they must not move. Rows that the server appended below, because the person scrolled, are shown
 * too. New and moved rows wait. Rows that left the list stay.
 */
export function held(shown: Arrangement, latest: Arrangement, mayAppend: boolean): Arrangement {
  if (!mayAppend) return shown
  const known = new Set(shown.ids)
  const last = latest.ids.findLastIndex((id) => known.has(id))
  const added = latest.ids.slice(last + 1)
  if (added.length === 0) return shown
  const late = shown.late > 0 ? shown.late + added.length : Math.min(latest.late, added.length)
  return { ids: [...shown.ids, ...added], late }
}
