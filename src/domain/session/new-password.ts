import { t } from '../../texts/session-on-demand.ts'
import { isLongEnough, metRules, type NewPassword, shortestPassword } from './password-rules.ts'

export type PasswordRule = { text: string; isMet: boolean }

/** The rules of a new password, in the words shown beside the fields. */
export function passwordRules(typed: NewPassword): PasswordRule[] {
  const { length, notEmail, same } = metRules(typed)
  return [
    { text: t('session.ruleLength', { shortest: shortestPassword }), isMet: length },
    { text: t('session.ruleNotEmail'), isMet: notEmail },
    { text: t('session.ruleSame'), isMet: same },
  ]
}

export type NewPasswordProblems = { password: string | null; repeatedPassword: string | null }

/** What is wrong in each field of the form for a new password; null where nothing is. One problem at a time. */
export function newPasswordProblems(typed: NewPassword): NewPasswordProblems {
  const rules = passwordRules(typed)
  const broken = rules.slice(0, -1).find(({ isMet }) => !isMet)
  if (broken) return { password: `${broken.text}.`, repeatedPassword: null }
  return { password: null, repeatedPassword: rules.at(-1)?.isMet ? null : t('session.passwordsDiffer') }
}

export const strengths = ['Weak', 'Fair', 'Good', 'Strong'] as const
export type Strength = (typeof strengths)[number]

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]

/** The text without a name in it, however that is written there. A short name may be there by chance. */
function without(name: string, text: string): string {
  const at = name.length < 3 ? -1 : text.toLowerCase().indexOf(name.toLowerCase())
  return at < 0 ? text : text.slice(0, at) + without(name, text.slice(at + name.length))
}

/**
 * A rough measure, to be shown and never to refuse by: characters that surprise, more where they are of several kinds.
 * A character that repeats one of the two before it, or follows the last one in order, surprises nobody; nor does the name
 * in the e-mail.
 */
export function strengthOf(password: string, email: string): Strength {
  const told = without(email.split('@')[0] ?? '', password)
  const codes = [...told].map((character) => character.codePointAt(0) ?? 0)
  const surprises = codes.filter((code, index) => {
    const step = code - (codes[index - 1] ?? Number.NaN)
    return code !== codes[index - 2] && Math.abs(step) !== 1 && step !== 0
  })
  const variety = kinds.filter((kind) => kind.test(told)).length
  const bits = surprises.length * (2 + variety)
  if (!isLongEnough(password) || bits < 24) return 'Weak'
  if (bits < 52) return 'Fair'
  return bits < 76 ? 'Good' : 'Strong'
}
