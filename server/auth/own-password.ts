import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { createPasswordAttempts } from './password-attempts.ts'

export type OwnPassword = { email: string; subject: string; password: string; address: string }

/**
 * Checks the password of a person who is signed in, with the limits of the sign-in. Throws what the identity provider
 * throws; that attempt is not counted.
 */
export const createOwnPasswordCheck = ({
  db,
  provider,
  clock,
}: {
  db: Db
  provider: Pick<IdentityProvider, 'checkPassword'>
  clock: Clock
}) => {
  const attempts = createPasswordAttempts({ db, clock, login: 'provider' })
  return async ({ address, ...credentials }: OwnPassword): Promise<'right' | 'wrong' | 'tooMany'> => {
    const attempt = await attempts.begin({ address, email: credentials.email })
    if (attempt === null) return 'tooMany'
    const isRight = await provider.checkPassword(credentials).catch(async (error: unknown) => {
      await attempt.withdraw()
      throw error
    })
    if (!isRight) return 'wrong'
    await attempt.forgive()
    return 'right'
  }
}
