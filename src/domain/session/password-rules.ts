/** Characters; hosted projects may ask for more, and then say so. */
export const shortestPassword = 8
const longest = 256

export type TypedPassword = { password: string; repeatedPassword: string }
export type NewPassword = TypedPassword & { email: string }

/** Counts letters as a reader does: an emoji is one. */
export const isLongEnough = (password: string): boolean => [...password].length >= shortestPassword

/** Which rules a new password meets, in the order in which the form shows them. */
export const metRules = ({ password, repeatedPassword, email }: NewPassword) => ({
  length: isLongEnough(password) && password.length <= longest,
  notEmail: password !== '' && password.toLowerCase() !== email.toLowerCase(),
  same: password !== '' && password === repeatedPassword,
})

/** Whether a new password meets every rule. */
export const isNewPassword = (typed: NewPassword): boolean => Object.values(metRules(typed)).every(Boolean)
