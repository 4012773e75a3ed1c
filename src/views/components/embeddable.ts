import { safeUrl } from '../../domain/shown-text.ts'

/**
 * Returns the address of a picture, video or sound if the content security policy allows it (https or same origin),
 * else null.
 */
export function embeddable(url: string): string | null {
  const safe = safeUrl(url)
  if (safe === null || safe.startsWith('/')) return safe
  return safe.startsWith('https:') || URL.parse(safe)?.origin === location.origin ? safe : null
}
