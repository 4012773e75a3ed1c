import { t } from '../../texts/shared.ts'
import { Button } from './Button.tsx'
import { focusAround } from './focus-around.ts'

type TryAgainProps = {
  /** The part that failed to load, where a page has several. */
  part?: string
  className?: string
  onRetry: () => void
}

/** Loads again what failed to load. The button disappears with the failure, so the focus moves to the part around it. */
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
