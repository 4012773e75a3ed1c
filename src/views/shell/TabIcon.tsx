import { useEffect } from 'react'
import { unreadBadge } from '../../domain/list/conversation-text.ts'

/** The icon of the page (public/icon.svg), smaller and with a number in its corner. */
const withNumber = (text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/><path d="M6 8.5A2.5 2.5 0 0 1 8.5 6h11A2.5 2.5 0 0 1 22 8.5v9a2.5 2.5 0 0 1-2.5 2.5H13l-4.6 3.7c-.5.4-1.2.05-1.2-.6V20A2.5 2.5 0 0 1 6 17.5z" fill="#fff"/><rect x="${text.length > 1 ? 9 : 14}" y="14" width="${text.length > 1 ? 23 : 18}" height="18" rx="9" fill="#e03131"/><text x="${text.length > 1 ? 20.5 : 23}" y="28" fill="#fff" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle">${text}</text></svg>`,
  )}`

/** Shows the number of unread messages on the icon of the tab, as long as it is rendered. */
export default function TabIcon({ unread }: { unread: number | null }) {
  const text = unreadBadge(unread ?? 0)
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (icon === null || text === null) return
    const plain = icon.href
    icon.href = withNumber(text)
    return () => {
      icon.href = plain
    }
  }, [text])
  return null
}
