import type { ReactNode } from 'react'

/** States that the content below was saved on this device and is not yet up to date. */
export const SavedNotice = ({ children }: { children: ReactNode }) => (
  <p role="status" className="shrink-0 border-line border-b bg-sunken px-4 py-1.5 text-ink-2 text-xs">
    {children}
  </p>
)
