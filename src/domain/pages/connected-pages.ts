import type { Page } from '../../schemas/page.ts'
import { hasSameFields } from '../same-fields.ts'

/** The connected pages by id and in the order of the server. Immutable. */
export type ConnectedPages = {
  readonly inOrder: readonly Page[]
  readonly byId: ReadonlyMap<string, Page>
}

/** The initial value, before the pages are loaded. */
export const noPages: ConnectedPages = { inOrder: [], byId: new Map() }

/** The pages of a complete server answer. A page without a change stays the same object. */
export function withPages(known: ConnectedPages, answer: readonly Page[]): ConnectedPages {
  const inOrder = answer.map((page) => {
    const before = known.byId.get(page.page_id)
    return before !== undefined && hasSameFields(before, page) ? before : page
  })
  const isSame =
    known !== noPages &&
    inOrder.length === known.inOrder.length &&
    inOrder.every((page, index) => page === known.inOrder[index])
  return isSame ? known : { inOrder, byId: new Map(inOrder.map((page) => [page.page_id, page])) }
}
