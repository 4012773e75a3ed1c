import { t } from '../texts/shared-on-demand.ts'
import { useNotifier } from './actors.tsx'

/** Copies a text, and says whether that worked. Null where the browser has no clipboard: it has one on secure origins only. */
export function useCopy(): ((text: string) => void) | null {
  const notifier = useNotifier()
  if (!('clipboard' in navigator)) return null
  return (text) =>
    void navigator.clipboard.writeText(text).then(
      () => notifier.send({ type: 'toast.requested', kind: 'success', text: t('shared.copied') }),
      () => notifier.send({ type: 'toast.requested', kind: 'error', text: t('shared.notCopied') }),
    )
}
