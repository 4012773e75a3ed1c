import { safeUrl } from '../../domain/shown-text.ts'

/** An address of a picture, video or sound that the page's policy lets it load: over https, or of this origin; else null. */
export function embeddable(url: string): string | null {
  const safe = safeUrl(url)
  if (safe === null || safe.startsWith('/')) return safe
  return safe.startsWith('https:') || URL.parse(safe)?.origin === location.origin ? safe : null
}
