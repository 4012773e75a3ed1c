const refuse = (part: string) => (): never => {
  throw new Error(`The client's ${part} are left out of this build: see vite.config.ts`)
}

/**
 * Replaces, at build time, the parts of Supabase that the product never calls: tables, files, functions and passkeys.
 * The Supabase client constructs some of them at every start, so they can be constructed, but any use throws.
 */
const leftOut = (part: string) =>
  class {
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: the proxy must replace the instance, so that any use throws
      return new Proxy(this, { get: refuse(part) })
    }
  }

export const PostgrestClient = leftOut('tables')
export const StorageClient = leftOut('files')
export const FunctionsClient = leftOut('functions')
export const WebAuthnApi = leftOut('passkeys')

const passkeys = refuse('passkeys')

export {
  passkeys as browserSupportsWebAuthn,
  passkeys as createCredential,
  passkeys as deserializeCredentialCreationOptions,
  passkeys as deserializeCredentialRequestOptions,
  passkeys as getCredential,
  passkeys as serializeCredentialCreationResponse,
  passkeys as serializeCredentialRequestResponse,
  passkeys as webAuthnAbortService,
}

export class PostgrestError extends Error {}
export class StorageApiError extends Error {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends FunctionsError {}
export class FunctionsHttpError extends FunctionsError {}
export class FunctionsRelayError extends FunctionsError {}
export const FunctionRegion = {}
