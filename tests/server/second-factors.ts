import { createSecondFactors, type RequiredFor, type SecondFactors } from '../../server/auth/second-factors.ts'
import type { Clock } from '../../server/clock.ts'
import type { Db } from '../../server/database/database.ts'
import { createPageTokens } from '../../server/network/graph/page-tokens.ts'

/** The second factors with a key of their own. */
export const secondFactorsOf = (db: Db, clock: Clock, required?: RequiredFor): SecondFactors =>
  createSecondFactors({ db, encryption: createPageTokens(new Uint8Array(32).fill(7)), required, clock })
