import { catalogue } from './catalogue.ts'
import en from './customers/en.json' with { type: 'json' }
import fil from './customers/fil.json' with { type: 'json' }

export type CustomerText = keyof typeof en

const languages = { en, fil } satisfies Record<string, Record<CustomerText, string>>

/** All languages are in one catalogue, each id after its language. */
const t = catalogue(
  Object.fromEntries(
    Object.entries(languages).flatMap(([language, messages]) =>
      Object.entries(messages).map(([id, message]) => [`${language}.${id}`, message]),
    ),
  ),
)

/** The texts that customers read, in a language that does not depend on that of staff. */
export const customerTexts =
  (language: keyof typeof languages) =>
  (id: CustomerText, values?: Readonly<Record<string, string | number>>): string =>
    t(`${language}.${id}`, values)
