import { type CSSProperties, useEffect, useRef } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { offers } from '../../domain/session/features.ts'
import { safeText } from '../../domain/shown-text.ts'
import { selectSession } from '../../machines/app.ts'
import { selectUser } from '../../machines/session/session.ts'
import { selectToasts } from '../../machines/shell/notifier.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { useApp, useNotifier } from '../actors.tsx'
import { useSelector } from '../use-selector.ts'
import { addressOf, type ConversationAddress } from './conversation-address.ts'

const toasterStyle = {
  '--normal-bg': 'var(--color-panel)',
  '--normal-bg-hover': 'var(--color-sunken)',
  '--normal-border': 'var(--color-line)',
  '--normal-border-hover': 'var(--color-edge)',
  '--normal-text': 'var(--color-ink)',
  '--gray1': 'var(--color-panel)',
  '--gray4': 'var(--color-line)',
  '--gray12': 'var(--color-ink)',
  '--border-radius': 'var(--radius-ui)',
  '--toast-close-button-transform': 'var(--toasts-close)',
  fontFamily: 'var(--font-sans)',
} as CSSProperties

/**
 * Whether the column of the views is wide enough for a toast. Only the empty space below the views covers nothing that
 * is read; elsewhere the bottom left has rows of the list, and a wide dialog reaches into that space.
 */
const hasFreeCorner = (app: ReturnType<typeof useApp>): boolean => {
  const session = selectSession(app.getSnapshot())
  return (
    session != null &&
    offers(selectUser(session.getSnapshot()), 'conversation-states') &&
    !document.documentElement.hasAttribute('data-dialog') &&
    window.matchMedia('(width >= 80rem) and (height >= 45rem)').matches
  )
}

/**
 * Renders the toasts of the notifier, which decides their text and duration (spec sections 8 and 9). Opens the
 * conversation of a toast or a desktop notification that the person has pressed.
 */
export default function Toaster({ onOpen }: { onOpen: (address: ConversationAddress) => void }) {
  const app = useApp()
  const notifier = useNotifier()
  const toasts = useSelector(notifier, selectToasts)
  const shown = useRef(new Map<number, number | string>())
  const open = useRef(onOpen)
  open.current = onOpen

  const session = useSelector(app, selectSession)
  useEffect(() => {
    const clicked = session?.on('conversation.requested', ({ id }) => open.current(addressOf(session, id)))
    return () => clicked?.unsubscribe()
  }, [session])

  useEffect(() => {
    const wanted = new Set(toasts.map(({ id }) => id))
    for (const [id, there] of shown.current) {
      if (wanted.has(id)) continue
      shown.current.delete(id)
      toast.dismiss(there)
    }
    for (const { id, kind, text, undo, news } of toasts) {
      if (shown.current.has(id)) continue
      const opened = news?.conversationId ?? null
      const comments = news?.comments
      const dismiss = () => notifier.send({ type: 'toast.dismissed', id })
      const title =
        opened === null && comments === undefined ? (
          safeText(text)
        ) : (
          <button
            type="button"
            className="line-clamp-3 max-sm:line-clamp-1 text-left after:absolute after:inset-0"
            onClick={() => {
              const session = selectSession(app.getSnapshot())
              if (opened !== null && session) open.current(addressOf(session, opened))
              if (comments !== undefined) session?.send({ type: 'comments.requested', ...comments })
              dismiss()
            }}
          >
            {safeText(text)}
          </button>
        )
      const there = toast[kind](title, {
        duration: Number.POSITIVE_INFINITY,
        ...(news !== undefined && {
          ...(news.line !== null && { description: safeText(news.line) }),
          ...(hasFreeCorner(app) && { position: 'bottom-left', className: 'w-(--news-width)! p-2.5!' }),
          descriptionClassName: 'line-clamp-2 text-ink-2! max-sm:line-clamp-1!',
        }),
        ...(undo !== undefined && {
          action: {
            label: t('shell.undo'),
            onClick: () => selectSession(app.getSnapshot())?.send({ type: 'undo.requested', key: undo }),
          },
        }),
        onDismiss: dismiss,
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
      offset={{ top: 'var(--toasts-top)', bottom: '0.75rem', left: '0.75rem' }}
      mobileOffset={{ top: 'var(--toasts-top)', left: 'var(--toasts-left)', right: 'var(--toasts-right)' }}
      // Toasts use the colours of the page, which already follow the appearance.
      theme="light"
      closeButton
      visibleToasts={5}
      containerAriaLabel={t('shell.notifications')}
      style={toasterStyle}
      toastOptions={{
        classNames: {
          actionButton: '!bg-accent !text-accent-ink',
          // On a phone a toast fits into the header; older ones show when the stack is pressed.
          toast:
            'max-sm:p-1! max-sm:pl-4! max-sm:text-2xs! [&_[data-title]]:max-sm:leading-tight! max-sm:[&[data-front=false][data-expanded=false]]:opacity-0! max-sm:[&[data-front=false][data-expanded=false]]:pointer-events-none! max-[600px]:w-[calc(100vw-var(--toasts-left)-var(--toasts-right))]!',
          closeButton: 'z-10! touch:after:absolute touch:after:-inset-3',
          success: '[&_[data-icon]]:text-ok',
          info: '[&_[data-icon]]:text-accent',
          warning: '[&_[data-icon]]:text-warn',
          error: '[&_[data-icon]]:text-bad',
        },
      }}
    />
  )
}
