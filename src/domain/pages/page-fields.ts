import { pageLimits } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'

/** The problem of a page name; null if the name is valid. */
export function pageNameProblem(name: string): string | null {
  const typed = name.trim()
  if (typed === '') return t('pages.nameMissing')
  return typed.length > pageLimits.name ? t('shared.tooLong', { most: pageLimits.name }) : null
}

/** Whether a text can be submitted for verification as a token. */
export const isToken = (text: string): boolean => text.trim() !== '' && text.trim().length <= pageLimits.token
