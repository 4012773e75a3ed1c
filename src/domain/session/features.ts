import type { AuthUser } from '../../schemas/auth.ts'
import type { Feature } from '../../schemas/feature.ts'

/** Whether the API that answered for this user offers the feature. */
export const offers = ({ features }: Pick<AuthUser, 'features'>, feature: Feature): boolean =>
  features?.includes(feature) ?? false
