import * as z from 'zod/mini'

/** The languages that a client can read summaries in. */
export const customerLanguages = ['en', 'fil'] as const
export type CustomerLanguage = (typeof customerLanguages)[number]

/** The language of a client; English if none was chosen, or one that this product does not know. */
export const languageOf = (told: string | null | undefined): CustomerLanguage =>
  customerLanguages.find((language) => language === told) ?? 'en'

export const clientLanguageBody = z.object({ language: z.enum(customerLanguages) })
