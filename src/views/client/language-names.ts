import type { CustomerLanguage } from '../../schemas/customer-language.ts'

/** The ids of the names of the languages. */
export const languageNames = { en: 'client.english', fil: 'client.filipino' } as const satisfies Record<
  CustomerLanguage,
  string
>
