import type { AuthUser } from '../../schemas/auth.ts'

type Holder = Pick<AuthUser, 'permissions'> | null

/** Whether the user holds a permission (spec section 6). False without a user. */
export const can = (user: Holder, permission: string): boolean => user?.permissions.includes(permission) ?? false

/**
 * Whether an action is offered. False for a user who holds this server's permission names without this one, because the
 * server would refuse. An API with other names is asked.
 */
export const mayTry = (user: Holder, permission: string): boolean =>
  can(user, permission) || !can(user, 'conversations.read')

/**
 * Whether messages that come into view are marked as read without a press. False for a user who holds this server's
 * permission names without this one. An API with other names is asked, and refuses.
 */
export const marksReadByItself = (user: Holder): boolean => mayTry(user, 'conversations.mark_read')

/** Whether the user holds any of the permissions (spec section 6). */
export const canAny = (user: Holder, permissions: readonly string[]): boolean =>
  permissions.some((permission) => can(user, permission))
