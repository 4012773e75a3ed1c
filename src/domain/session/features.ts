import type { AuthUser } from '../../schemas/auth.ts'
import type { Feature } from '../../schemas/feature.ts'
import { mayTry } from './permissions.ts'

/** Whether the API that answered for this user offers the feature. */
export const offers = ({ features }: Pick<AuthUser, 'features'>, feature: Feature): boolean =>
  features?.includes(feature) ?? false

/** Whether the API tells this person what clients owe. The same permission shows the amounts in the details. */
export const offersOutstanding = (user: AuthUser): boolean => offers(user, 'outstanding') && mayTry(user, 'orders.read')
