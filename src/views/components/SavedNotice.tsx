import type { ReactNode } from 'react'

/**
 * States that the content below was saved on this device and is not yet up to date. Lies on the line above the content,
 * so that nothing moves when it leaves.
 */
export const SavedNotice = ({ children }: { children: ReactNode }) => (
  <div className="pointer-events-none relative z-10 h-0 shrink-0">
    <p role="status" className="saved-notice">
      {children}
    </p>
  </div>
)
