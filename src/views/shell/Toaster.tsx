import { type CSSProperties, useEffect, useRef } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { safeText } from '../../domain/shown-text.ts'
import { selectSession } from '../../machines/app.ts'
import { selectToasts } from '../../machines/shell/notifier.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { useApp, useNotifier } from '../actors.tsx'
import { useSelector } from '../use-selector.ts'

const colours = {
  '--normal-bg': 'var(--color-panel)',
  '--normal-bg-hover': 'var(--color-sunken)',
  '--normal-border': 'var(--color-line)',
  '--normal-border-hover': 'var(--color-edge)',
  '--normal-text': 'var(--color-ink)',
  '--gray1': 'var(--color-panel)',
  '--gray4': 'var(--color-line)',
  '--gray12': 'var(--color-ink)',
  '--border-radius': 'var(--radius-ui)',
  fontFamily: 'var(--font-sans)',
} as CSSProperties

/** Renders the toasts of the notifier, which decides their text and duration (spec sections 8 and 9). */
export default function Toaster() {
  const app = useApp()
  const notifier = useNotifier()
  const toasts = useSelector(notifier, selectToasts)
  const shown = useRef(new Map<number, number | string>())

  useEffect(() => {
    const wanted = new Set(toasts.map(({ id }) => id))
    for (const [id, there] of shown.current) {
      if (wanted.has(id)) continue
      shown.current.delete(id)
      toast.dismiss(there)
    }
    for (const { id, kind, text, undo } of toasts) {
      if (shown.current.has(id)) continue
      const there = toast[kind](safeText(text), {
        duration: Number.POSITIVE_INFINITY,
        ...(undo !== undefined && {
          action: {
            label: t('shell.undo'),
            onClick: () => selectSession(app.getSnapshot())?.send({ type: 'undo.requested', key: undo }),
          },
        }),
        onDismiss: () => notifier.send({ type: 'toast.dismissed', id }),
      })
      shown.current.set(id, there)
    }
  }, [toasts, notifier, app])

  // Dismisses the toasts on unmount, because sonner would show them again in the next toaster. Skips the unmount that
  // React simulates in StrictMode.
  const isThere = useRef(false)
  useEffect(() => {
    const { current } = shown
    isThere.current = true
    return () => {
      isThere.current = false
      queueMicrotask(() => {
        if (isThere.current) return
        for (const there of current.values()) toast.dismiss(there)
        current.clear()
      })
    }
  }, [])

  return (
    <SonnerToaster
      position="top-right"
      offset={{ top: 'var(--toasts-top)' }}
      mobileOffset={{ top: 'var(--toasts-top)', left: 'var(--toasts-left)', right: 'var(--toasts-right)' }}
      // Toasts use the colours of the page, which already follow the appearance.
      theme="light"
      closeButton
      visibleToasts={5}
      containerAriaLabel={t('shell.notifications')}
      style={colours}
      toastOptions={{
        classNames: {
          actionButton: '!bg-accent !text-accent-ink',
          // On a phone a toast fits into the header; older ones show when the stack is pressed.
          toast:
            'max-sm:p-1! max-sm:text-2xs! [&_[data-title]]:max-sm:leading-tight! max-sm:[&[data-front=false][data-expanded=false]]:opacity-0! max-sm:[&[data-front=false][data-expanded=false]]:pointer-events-none! max-[600px]:w-[calc(100vw-var(--toasts-left)-var(--toasts-right))]!',
          closeButton: 'touch:after:absolute touch:after:-inset-3',
          success: '[&_[data-icon]]:text-ok',
          info: '[&_[data-icon]]:text-accent',
          warning: '[&_[data-icon]]:text-warn',
          error: '[&_[data-icon]]:text-bad',
        },
      }}
    />
  )
}
