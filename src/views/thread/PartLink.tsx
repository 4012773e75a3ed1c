import { ExternalLink } from 'lucide-react'
import { safeUrl } from '../../domain/shown-text.ts'

/** A link of a part; nothing if its address may not be opened. */
export function PartLink({ href, children }: { href: string | null | undefined; children: string }) {
  const url = href ? safeUrl(href) : null
  if (url === null) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex max-w-full items-center gap-1 font-medium text-accent text-xs underline underline-offset-2 touch:min-h-11"
    >
      <span className="truncate">{children}</span>
      <ExternalLink size={12} aria-hidden="true" className="shrink-0" />
    </a>
  )
}
