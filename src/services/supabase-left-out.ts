/**
 * Stands in the build for the parts of Supabase that the product never calls: tables, files and functions. The client
 * makes them with every start, so they can be made; whoever uses one is told.
 */
const leftOut = (part: string) =>
  class {
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: whatever is asked of it, there is one answer
      return new Proxy(this, {
        get: () => {
          throw new Error(`The client's ${part} are left out of this build: see vite.config.ts`)
        },
      })
    }
  }

export const PostgrestClient = leftOut('tables')
export const StorageClient = leftOut('files')
export const FunctionsClient = leftOut('functions')

export class PostgrestError extends Error {}
export class StorageApiError extends Error {}
export class FunctionsError extends Error {}
export class FunctionsFetchError extends FunctionsError {}
export class FunctionsHttpError extends FunctionsError {}
export class FunctionsRelayError extends FunctionsError {}
export const FunctionRegion = {}
