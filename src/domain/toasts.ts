import { t } from '../texts/shared.ts'
import { toastsIn } from './toast.ts'

const { error } = toastsIn(t)

/** The texts of spec section 8, by area, and additional texts of the product. These apply to calls of any area. */
export const generalToasts = {
  network: error('shared.network'),
  denied: error('shared.denied'),
  missingPermission: (name: string) => error('shared.missingPermission', { name }),
  anyMissing: (names: string) => error('shared.anyMissing', { names }),
  allMissing: (names: string) => error('shared.allMissing', { names }),
  missingPermissions: (names: string) => error('shared.missingPermissions', { names }),
  requiredPermissions: (names: string) => error('shared.requiredPermissions', { names }),
  /** Without the query string, which can contain a client's name. */
  noEndpoint: (method: string, path: string) => error('shared.noEndpoint', { method, path }),
  tooManyRequests: error('shared.tooManyRequests'),
  server: error('shared.server'),
} as const
