import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { selectToasts } from '../../machines/notifier.ts'
import { useNotifier } from '../actors.tsx'

/** Shows what the notifier says: it decides what is said and for how long (spec sections 8 and 9). */
export default function Toaster() {
  const notifier = useNotifier()
  const toasts = useSelector(notifier, selectToasts)
  const shown = useRef(new Set<number>())

  useEffect(() => {
    const wanted = new Set(toasts.map(({ id }) => id))
    for (const id of shown.current) {
      if (wanted.has(id)) continue
      shown.current.delete(id)
      toast.dismiss(id)
    }
    for (const { id, kind, text } of toasts) {
      if (shown.current.has(id)) continue
      shown.current.add(id)
      toast[kind](text, {
        id,
        duration: Number.POSITIVE_INFINITY,
        onDismiss: () => notifier.send({ type: 'toast.dismissed', id }),
      })
    }
  }, [toasts, notifier])

  return (
    <SonnerToaster
      position="top-right"
      theme="system"
      closeButton
      visibleToasts={5}
      containerAriaLabel="Notifications"
      toastOptions={{
        style: {
          background: 'var(--color-panel)',
          color: 'var(--color-ink)',
          borderColor: 'var(--color-line)',
          borderRadius: 'var(--radius-ui)',
          fontFamily: 'var(--font-sans)',
        },
      }}
    />
  )
}
