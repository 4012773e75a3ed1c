import { newHours } from '../../../src/domain/pages/hours-form.ts'
import { businessHours } from '../../../src/machines/pages/business-hours.ts'
import type { BusinessHours, PageHours } from '../../../src/schemas/business-hours.ts'
import { settingsFormModel } from '../settings-form-fixture.ts'

export const hoursWith = (more: Partial<PageHours>): BusinessHours => ({ pages: { p1: { ...newHours(), ...more } } })
export const noHours: BusinessHours = { pages: {} }
export const away = hoursWith({ is_on: true })

export const hoursModel = () =>
  settingsFormModel(businessHours, {
    facts: { timeZone: 'Asia/Manila' },
    empty: noHours,
    changed: away,
    incomplete: hoursWith({ is_on: true, text: ' ' }),
    others: hoursWith({ text: 'We sleep' }),
  })
