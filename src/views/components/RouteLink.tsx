import type { MouseEvent, ReactNode } from 'react'
import { useHref, useNavigate } from 'react-router'

type RouteLinkProps = { to: string; className?: string; children: ReactNode }

/** A link to another route of this page. React Router's `Link` would add 2 kB to every first load. */
export function RouteLink({ to, className, children }: RouteLinkProps) {
  const navigate = useNavigate()
  const onClick = (event: MouseEvent) => {
    // The browser opens other clicks, for example in a new tab.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(to)
  }
  return (
    <a href={useHref(to)} className={className} onClick={onClick}>
      {children}
    </a>
  )
}
