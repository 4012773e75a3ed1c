import { classNames } from '../components/class-names.ts'
import { usePagePlace } from '../use-pages.ts'

const colours = ['bg-page-1', 'bg-page-2', 'bg-page-3', 'bg-page-4'] as const

/**
 * The colour of a social page, by its place among the connected pages. Nothing if there is only one page: then the colour
 * says nothing. The name of the page must stand beside the dot, at least for screen readers.
 */
export function PageDot({ pageId }: { pageId: string | null | undefined }) {
  const place = usePagePlace(pageId)
  if (place === null) return null
  return (
    <span aria-hidden="true" className={classNames('size-2 shrink-0 rounded-full', colours[place % colours.length])} />
  )
}
