import { cost } from '../../server/auth/password-cost.ts'
import { cheapCost } from './hash-costs.ts'

/** A hash of the real cost takes 0.3 s of a core. `passwords.test.ts` tests with the real cost. */
Object.assign(cost, cheapCost)
