import { t } from '../texts/shared-on-demand.ts'
import { comparable } from './comparable.ts'

/** The keywords of a form. `keyword` is the text in the keyword field that is not added yet. */
export type KeywordFields = { keywords: readonly string[]; keyword: string }

/** `keyword`: characters of one keyword. `keywords`: their number. */
type Limits = { keyword: number; keywords: number }
type Texts = { empty: () => string; known: () => string; full: () => string }

export type KeywordRules = ReturnType<typeof keywordRules>

/** The rules of a form with keywords: each is trimmed, not empty, and unique for the matching. */
export function keywordRules(limits: Limits, texts: Texts) {
  /** The problem of the typed keyword itself; null if the keyword is valid or the field is empty. */
  function spellingProblem({ keyword, keywords }: KeywordFields): string | null {
    const typed = keyword.trim()
    if (typed === '') return null
    if (typed.length > limits.keyword) return t('shared.tooLong', { most: limits.keyword })
    const added = comparable(typed)
    if (added === '') return texts.empty()
    return keywords.some((known) => comparable(known) === added) ? texts.known() : null
  }

  /** Why there are too many keywords, counting a valid typed one; null if there are not. */
  function countProblem(fields: KeywordFields): string | null {
    const isTyped = fields.keyword.trim() !== '' && spellingProblem(fields) === null
    return fields.keywords.length + (isTyped ? 1 : 0) > limits.keywords ? texts.full() : null
  }

  /** Why the typed keyword cannot be added; null if it can be added or the field is empty. */
  const problem = (fields: KeywordFields): string | null => spellingProblem(fields) ?? countProblem(fields)

  /** Whether the typed keyword can be added. */
  const hasNew = (fields: KeywordFields): boolean => fields.keyword.trim() !== '' && problem(fields) === null

  return {
    countProblem,
    problem,
    hasNew,

    /** The fields with the typed keyword added, if the keyword is valid. */
    added: <Fields extends KeywordFields>(fields: Fields): Fields =>
      hasNew(fields) ? { ...fields, keywords: [...fields.keywords, fields.keyword.trim()], keyword: '' } : fields,

    removed: <Fields extends KeywordFields>(fields: Fields, keyword: string): Fields => ({
      ...fields,
      keywords: fields.keywords.filter((one) => one !== keyword),
    }),
  }
}
