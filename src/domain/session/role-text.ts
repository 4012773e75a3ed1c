import type { StaffRole } from '../../schemas/staff.ts'
import { t } from '../../texts/session-on-demand.ts'
import { safeName } from '../shown-text.ts'

const roleTexts: Record<StaffRole, Parameters<typeof t>[0]> = {
  administrator: 'session.roleAdministrator',
  agent: 'session.roleAgent',
  viewer: 'session.roleViewer',
}

const isKnown = (role: string): role is StaffRole => Object.hasOwn(roleTexts, role)

/** A role in words. A role that is not known stays as it is. */
export const roleText = (role: string): string => (isKnown(role) ? t(roleTexts[role]) : safeName(role))
