import {
  createSecondFactors,
  type RequiredFor,
  type SecondFactors,
  secondFactorPurpose,
} from '../../server/auth/second-factors.ts'
import type { Clock } from '../../server/clock.ts'
import type { Db } from '../../server/database/database.ts'
import { deriveKeys, type Keyring } from '../../server/secrets.ts'
import { ringOf } from './derived-keys.ts'

/** The second factors, with a key of their own unless a ring is given. */
export const secondFactorsOf = (
  db: Db,
  clock: Clock,
  required?: RequiredFor,
  keyring: Keyring = ringOf('a secret for second factors in tests'),
): SecondFactors => createSecondFactors({ db, keys: deriveKeys(keyring, secondFactorPurpose), required, clock })
