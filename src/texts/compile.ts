import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

/** A room's messages by id: ICU text, or the tokens that `scripts/compile-texts.ts` makes of it for the browser. */
export type Catalogue<Id extends string> = Readonly<Record<Id, string>>
export type CompiledCatalogue = Record<string, ReturnType<typeof compileMessageOrThrow>>

/**
 * Compiles each ICU message into Lingui's tokens. Throws on a message that is not valid ICU. Node runs this at import;
 * Vite compiles the JSON files instead and leaves this module and the parser out (`scripts/compile-texts.ts`).
 */
export const compile = (messages: Catalogue<string>): CompiledCatalogue =>
  Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, compileMessageOrThrow(message)]))
