import type { ReactNode } from 'react'
import { t } from '../../texts/shell.ts'

type SplashProps = { note?: string | null; why?: string | null; children?: ReactNode }

/**
 * The loading screen until auth has decided who is signed in, or until a page has loaded. `children` offer a way out.
 */
export function Splash({ note, why, children }: SplashProps) {
  return (
    <div className="grid min-h-dvh place-items-center p-6">
      <div className="grid justify-items-center gap-3 text-center">
        <div role="status" aria-busy="true" className="grid justify-items-center gap-3">
          <img src="/icon.svg" alt="" width={40} height={40} className="animate-breathe" />
          <p className="text-ink-2">{note ?? t('shared.loading')}</p>
          {why && <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">{why}</p>}
        </div>
        {children}
      </div>
    </div>
  )
}
