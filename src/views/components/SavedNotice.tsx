import type { ReactNode } from 'react'

/** Says that the content below comes from an earlier start and is not yet current. */
export const SavedNotice = ({ children }: { children: ReactNode }) => (
  <p role="status" className="shrink-0 border-line border-b bg-sunken px-4 py-1.5 text-ink-2 text-xs">
    {children}
  </p>
)
