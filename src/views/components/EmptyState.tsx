import type { ReactNode } from 'react'

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode }

/** What a pane says when there is nothing in it, with what can be done about it. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="grid size-full place-content-center justify-items-center gap-3 p-6 text-center text-ink-2">
      {icon && (
        <span aria-hidden="true" className="text-ink-3">
          {icon}
        </span>
      )}
      <p>{title}</p>
      {children}
    </div>
  )
}
