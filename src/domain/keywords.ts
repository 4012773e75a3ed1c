import { t } from '../texts/shared-on-demand.ts'
import { comparable } from './comparable.ts'

/** The keywords of a form. `keyword` is the text in the keyword field that is not added yet: one or several. */
export type KeywordFields = { keywords: readonly string[]; keyword: string }

/** `keyword`: characters of one keyword. `keywords`: their number. */
type Limits = { keyword: number; keywords: number }
type Texts = { empty: () => string; known: () => string; full: () => string }

export type KeywordRules = ReturnType<typeof keywordRules>

const separators = /[,;\r\n]+/

/** Whether a text names several keywords, as a list that was pasted does. */
export const isKeywordList = (text: string): boolean => separators.test(text)

/** The keywords of a typed text: commas, semicolons and line breaks stand between them. */
const partsOf = (typed: string): string[] =>
  typed
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The typed keywords that the form does not have yet, each once. */
function newKeywords({ keyword, keywords }: KeywordFields): readonly string[] {
  const known = new Set(keywords.map(comparable))
  return partsOf(keyword).filter((part) => {
    const compared = comparable(part)
    if (known.has(compared)) return false
    known.add(compared)
    return true
  })
}

/** The rules of a form with keywords: each is trimmed, not empty, and unique for the matching. */
export function keywordRules(limits: Limits, texts: Texts) {
  /** The problem of the typed keywords themselves; null if they are valid or the field is empty. */
  function spellingProblem(fields: KeywordFields): string | null {
    if (fields.keyword.trim() === '') return null
    const parts = partsOf(fields.keyword)
    if (parts.some((part) => part.length > limits.keyword)) return t('shared.tooLong', { most: limits.keyword })
    if (parts.length === 0 || parts.some((part) => comparable(part) === '')) return texts.empty()
    // Of several, the known ones are left out.
    return newKeywords(fields).length === 0 ? texts.known() : null
  }

  /** Why there are too many keywords, counting valid typed ones; null if there are not. */
  function countProblem(fields: KeywordFields): string | null {
    const typed = spellingProblem(fields) === null ? newKeywords(fields).length : 0
    return fields.keywords.length + typed > limits.keywords ? texts.full() : null
  }

  /** Why the typed keywords cannot be added; null if they can be added or the field is empty. */
  const problem = (fields: KeywordFields): string | null => spellingProblem(fields) ?? countProblem(fields)

  /** Whether the typed keywords can be added. */
  const hasNew = (fields: KeywordFields): boolean => fields.keyword.trim() !== '' && problem(fields) === null

  return {
    countProblem,
    problem,
    hasNew,

    /** The fields with the typed keywords added, if all are valid. */
    added: <Fields extends KeywordFields>(fields: Fields): Fields =>
      hasNew(fields) ? { ...fields, keywords: [...fields.keywords, ...newKeywords(fields)], keyword: '' } : fields,

    removed: <Fields extends KeywordFields>(fields: Fields, keyword: string): Fields => ({
      ...fields,
      keywords: fields.keywords.filter((one) => one !== keyword),
    }),
  }
}
