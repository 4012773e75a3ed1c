import { Button } from '../components/Button.tsx'

/** Asks again for a part that did not come. The button goes with the failure, so the focus goes to the part around it. */
export function TryAgain({ part, onRetry }: { part: string; onRetry: () => void }) {
  return (
    <Button
      aria-label={`Try again to load ${part}`}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus()
        onRetry()
      }}
    >
      Try again
    </Button>
  )
}
