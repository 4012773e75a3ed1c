import type { ReactNode } from 'react'

/** A part with a name for screen readers. No landmark: a thread would have dozens of them. */
export function PartGroup({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={label} className={className}>
      {children}
    </div>
  )
}
