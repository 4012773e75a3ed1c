import { t } from '../../texts/shared.ts'
import { Button } from './Button.tsx'
import { focusAround } from './focus-around.ts'

type TryAgainProps = {
  /** The name of the part that failed to load, if a page has several. */
  part?: string
  className?: string
  onRetry: () => void
}

/** Retries a failed load. The button disappears with the error, so the focus moves to the surrounding element. */
export function TryAgain({ part, className, onRetry }: TryAgainProps) {
  return (
    <Button
      aria-label={part && t('shared.tryAgainPart', { part })}
      className={className}
      onClick={(event) => {
        focusAround(event)
        onRetry()
      }}
    >
      {t('shared.tryAgain')}
    </Button>
  )
}

/** In place of a list that could not be loaded. */
export function NotLoaded({ text, onRetry }: { text?: string; onRetry: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-8 text-center text-ink-2">
      {text !== undefined && <p>{text}</p>}
      <TryAgain onRetry={onRetry} />
    </div>
  )
}
