import { vi } from 'vitest'

/** A hash of the real cost takes 0.3 s of a core. `passwords.test.ts` tests with the real cost. */
vi.mock('../../server/auth/password-cost.ts', () => ({ cost: { ln: 4, r: 8, p: 1 } }))
