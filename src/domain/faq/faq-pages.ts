/** `page_ids` null or absent: all pages. */
type OfPages = { page_ids?: readonly string[] | null | undefined }

/** Whether the entry replies on a page. */
export const appliesTo = ({ page_ids }: OfPages, pageId: string): boolean => page_ids?.includes(pageId) ?? true

/** Whether two entries reply on a common page. */
export const shareAPage = (one: OfPages, other: OfPages): boolean =>
  one.page_ids == null || other.page_ids == null || one.page_ids.some((id) => other.page_ids?.includes(id))

/** The chosen pages that are still connected, and the number of those that are not. Null if all pages are chosen. */
export function chosenPages<Page extends { page_id: string }>(
  { page_ids }: OfPages,
  pages: readonly Page[],
): { known: readonly Page[]; removed: number } | null {
  if (page_ids == null) return null
  const known = pages.filter(({ page_id }) => page_ids.includes(page_id))
  return { known, removed: page_ids.length - known.length }
}
