import { t } from '../../texts/shared.ts'
import { Button } from './Button.tsx'

/** The message for an unexpected error, with a button that reloads the page. */
export function Broken() {
  return (
    <div role="alert" className="grid min-h-dvh place-items-center p-6">
      <div className="grid max-w-sm justify-items-center gap-3 text-center">
        <h1 className="font-semibold text-xl">{t('shared.somethingWentWrong')}</h1>
        <p className="text-ink-2">{t('shared.somethingWentWrongAdvice')}</p>
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t('shared.loadAgain')}
        </Button>
      </div>
    </div>
  )
}
