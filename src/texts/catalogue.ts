import { i18n } from '@lingui/core'
import { type Catalogue, compile } from './compile.ts'
import shared from './en/shared.json' with { type: 'json' }
import { locale } from './locale.ts'

/** A number is written as it is; `{n, number}` in the message formats it and `{n, plural, …}` chooses by it. */
type Values = Readonly<Record<string, string | number>>

/** Lingui decodes `\x41` and `\u0041` in its result, also in values from outside, past `safeText`: hide the backslash. */
const backslash = '\ufdd0'

const hidden = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', backslash) : value,
    ]),
  )

i18n.load(locale, compile(shared))
i18n.activate(locale)

/**
 * Loads a room's messages, and returns the function that fills one in. It knows the room's ids and the shared ones. Call
 * it where a text is shown, not while a module loads: a language can be chosen before the first paint.
 */
export function catalogue<Id extends string>(
  messages: Catalogue<Id>,
): (id: Id | keyof typeof shared, values?: Values) => string {
  i18n.load(locale, compile(messages))
  return (id, values) => (values === undefined ? i18n._(id) : i18n._(id, hidden(values)).replaceAll(backslash, '\\'))
}
