import { i18n } from '@lingui/core'
import { type Catalogue, compile } from './compile.ts'
import shared from './en/shared.json' with { type: 'json' }
import { locale } from './locale.ts'

/**
 * A plain placeholder inserts a number unformatted. `{n, number}` formats the number and `{n, plural, …}` selects a
 * text by it.
 */
type Values = Readonly<Record<string, string | number>>

/**
 * Lingui decodes `\x41` and `\u0041` in its result, even in external values after `safeText` was applied. The
 * placeholder character hides backslashes from Lingui.
 */
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
 * Loads a catalogue and returns the function that formats its messages. The function accepts the ids of this catalogue
 * and of the shared one. Call it when a text is shown, not while a module loads, because the language can be selected
 * until the first paint.
 */
export function catalogue<Id extends string>(
  messages: Catalogue<Id>,
): (id: Id | keyof typeof shared, values?: Values) => string {
  i18n.load(locale, compile(messages))
  return (id, values) => (values === undefined ? i18n._(id) : i18n._(id, hidden(values)).replaceAll(backslash, '\\'))
}
