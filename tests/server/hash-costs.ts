import { cost } from '../../server/auth/password-cost.ts'

export const realCost = { ...cost }
export const cheapCost = { ln: 4, r: 8, p: 1 }
