/** In characters. Hosted projects may require more and then say so in their answer. */
export const shortestPassword = 8
const longest = 256

export type TypedPassword = { password: string; repeatedPassword: string }
export type NewPassword = TypedPassword & { email: string }

/** Counts code points, so that an emoji counts as one character. */
export const isLongEnough = (password: string): boolean => [...password].length >= shortestPassword

/** The rules that a new password meets, in the order of the form. */
export const metRules = ({ password, repeatedPassword, email }: NewPassword) => ({
  length: isLongEnough(password) && password.length <= longest,
  notEmail: password !== '' && password.toLowerCase() !== email.toLowerCase(),
  same: password !== '' && password === repeatedPassword,
})

/** Whether a new password meets every rule. */
export const isNewPassword = (typed: NewPassword): boolean => Object.values(metRules(typed)).every(Boolean)
