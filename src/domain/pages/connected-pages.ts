import type { Page } from '../../schemas/page.ts'

/** The connected pages, each by its id and in the order of the server. Immutable. */
export type ConnectedPages = {
  readonly inOrder: readonly Page[]
  readonly byId: ReadonlyMap<string, Page>
}

/** Nothing is known of the pages yet. */
export const noPages: ConnectedPages = { inOrder: [], byId: new Map() }

const isSamePage = (a: Page, b: Page): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Page>
  for (const key of keys) if ((a[key] ?? null) !== (b[key] ?? null)) return false
  return true
}

/** The pages of a complete answer of the server. A page that says the same as before keeps its object. */
export function withPages(known: ConnectedPages, answer: readonly Page[]): ConnectedPages {
  const inOrder = answer.map((page) => {
    const before = known.byId.get(page.page_id)
    return before !== undefined && isSamePage(before, page) ? before : page
  })
  const isSame =
    known !== noPages &&
    inOrder.length === known.inOrder.length &&
    inOrder.every((page, index) => page === known.inOrder[index])
  return isSame ? known : { inOrder, byId: new Map(inOrder.map((page) => [page.page_id, page])) }
}
