import type { Json, Moment, MomentWithDefault } from './columns.ts'

export type OperationsTables = {
  business_settings: {
    name: string
    settings: Json<unknown>
    version: number
    updated_at: Moment
  }
  /** Read and written by `server/stored-keys.ts` alone. */
  stored_keys: {
    purpose: string
    sealed_key: string
  }
  restores: {
    restored_at: MomentWithDefault
  }
}
