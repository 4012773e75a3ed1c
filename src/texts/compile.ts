import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/**
 * The messages of a catalogue by id: ICU text, or the tokens that `scripts/compile-texts.ts` generates from it for the
 * browser.
 */
export type Catalogue<Id extends string> = Readonly<Record<Id, string>>
export type CompiledCatalogue = Record<string, ReturnType<typeof compileMessageOrThrow>>

/**
 * Compiles each ICU message into Lingui's tokens. Throws if a message is not valid ICU. Node runs this at import. For
 * the browser, Vite compiles the JSON files instead, so that the bundle contains neither this module nor the parser
 * (`scripts/compile-texts.ts`).
 */
export const compile = (messages: Catalogue<string>): CompiledCatalogue =>
  Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, compileMessageOrThrow(message)]))
