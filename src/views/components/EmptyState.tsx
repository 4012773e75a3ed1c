import type { ReactNode } from 'react'

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode }

/** The message of an empty pane, with the available actions. */
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
