import { t } from '../../texts/session-on-demand.ts'
import { isLongEnough, metRules, type NewPassword, shortestPassword } from './password-rules.ts'

export type PasswordRule = { text: string; isMet: boolean }

/** The rules of a new password, with the texts shown beside the fields. */
export function passwordRules(typed: NewPassword): PasswordRule[] {
  const { length, notEmail, same } = metRules(typed)
  return [
    { text: t('session.ruleLength', { shortest: shortestPassword }), isMet: length },
    { text: t('session.ruleNotEmail'), isMet: notEmail },
    { text: t('session.ruleSame'), isMet: same },
  ]
}

export type NewPasswordProblems = { password: string | null; repeatedPassword: string | null }

/** The problem of each field of the new password form; null for a valid field. Shows one problem at a time. */
export function newPasswordProblems(typed: NewPassword): NewPasswordProblems {
  const rules = passwordRules(typed)
  const broken = rules.slice(0, -1).find(({ isMet }) => !isMet)
  if (broken) return { password: `${broken.text}.`, repeatedPassword: null }
  return { password: null, repeatedPassword: rules.at(-1)?.isMet ? null : t('session.passwordsDiffer') }
}

export const strengths = ['Weak', 'Fair', 'Good', 'Strong'] as const
export type Strength = (typeof strengths)[number]

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]

/**
 * Removes a name from the text, case-insensitively. Names shorter than 3 characters are kept, because they may occur by
 * chance.
 */
function without(name: string, text: string): string {
  const at = name.length < 3 ? -1 : text.toLowerCase().indexOf(name.toLowerCase())
  return at < 0 ? text : text.slice(0, at) + without(name, text.slice(at + name.length))
}

/**
 * A rough strength estimate for display only; it never rejects a password. Counts characters that are hard to guess,
 * with a bonus for several character classes. A character does not count if it repeats one of the two previous
 * characters or follows the previous one in sequence. The name in the email address does not count either.
 */
export function strengthOf(password: string, email: string): Strength {
  const counted = without(email.split('@')[0] ?? '', password)
  const codes = [...counted].map((character) => character.codePointAt(0) ?? 0)
  const unpredictable = codes.filter((code, index) => {
    const step = code - (codes[index - 1] ?? Number.NaN)
    return code !== codes[index - 2] && Math.abs(step) !== 1 && step !== 0
  })
  const variety = kinds.filter((kind) => kind.test(counted)).length
  const bits = unpredictable.length * (2 + variety)
  if (!isLongEnough(password) || bits < 24) return 'Weak'
  if (bits < 52) return 'Fair'
  return bits < 76 ? 'Good' : 'Strong'
}
