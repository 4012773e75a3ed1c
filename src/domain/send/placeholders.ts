/** The variables of a saved reply, written as `{first_name}`. */
export const variables = ['first_name', 'balance', 'order_number', 'page'] as const
export type Variable = (typeof variables)[number]

/** What stands in a reply for a variable without a value. Staff replace it before the reply can be sent. */
export const placeholderOf = (variable: Variable): string => `⟦${variable}⟧`

const names = variables.join('|')
/** Also matches a placeholder that lost one of its brackets. */
const placeholder = new RegExp(`⟦(${names})|(${names})⟧`, 'g')

/** The variables whose placeholders are left in a text, each once. */
export const placeholdersIn = (text: string): Variable[] => [
  ...new Set([...text.matchAll(placeholder)].map((match) => (match[1] ?? match[2]) as Variable)),
]
