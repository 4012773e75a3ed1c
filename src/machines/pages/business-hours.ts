import { hoursBlockedReason, hoursToasts, isSameHours } from '../../domain/pages/hours-form.ts'
import type { BusinessHours } from '../../schemas/business-hours.ts'
import { settingsForm } from '../settings-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    businessHours: typeof businessHoursMachine
  }
}

/** The dialog of business hours and away answers, with the time zone of the business. */
export const businessHours = settingsForm<BusinessHours, { timeZone: string }>({
  id: 'businessHours',
  facts: { timeZone: 'UTC' },
  defaults: () => ({ pages: {} }),
  isSame: isSameHours,
  blockedReason: hoursBlockedReason,
  toasts: hoursToasts,
})
export const businessHoursMachine = businessHours.machine
