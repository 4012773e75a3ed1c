import type { ReactNode } from 'react'

type EdgeProps = {
  isLoading: boolean
  /** Null if there is nothing to load. */
  onLoad: (() => void) | null
  texts: readonly [load: string, loading: string]
  /** Shown if there is nothing to load. One line. */
  children?: ReactNode
}

/** The beginning or end of the loaded messages. Has a constant height, so that nothing moves when messages load. */
export function Edge({ isLoading, onLoad, texts: [load, loading], children }: EdgeProps) {
  return (
    <div className="grid h-10 place-items-center text-2xs text-ink-3">
      {isLoading ? (
        loading
      ) : onLoad ? (
        <button type="button" className="font-medium text-accent underline" onClick={onLoad}>
          {load}
        </button>
      ) : (
        children
      )}
    </div>
  )
}
