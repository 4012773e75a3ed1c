import { t } from '../../texts/shared.ts'
import { Button } from './Button.tsx'

type TryAgainProps = {
  /** What did not come, where several parts of a page may not have. */
  part?: string
  className?: string
  onRetry: () => void
}

/** Asks again for what did not come. The button goes with the failure, so the focus goes to what is around it. */
export function TryAgain({ part, className, onRetry }: TryAgainProps) {
  return (
    <Button
      aria-label={part && t('shared.tryAgainPart', { part })}
      className={className}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus()
        onRetry()
      }}
    >
      {t('shared.tryAgain')}
    </Button>
  )
}
