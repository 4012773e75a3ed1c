import { addStaff } from '../server/add-staff.ts'
import { type Clock, systemClock } from '../server/clock.ts'
import type { Db } from '../server/database/database.ts'
import { openExistingDatabase } from '../server/database/open-database.ts'
import { resetSecondFactor, setOneTimePassword } from '../server/reset-staff.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = `npm run staff -- add <email> <administrator|agent|viewer> ["Name"]
npm run staff -- reset <email>
npm run staff -- reset-second-factor <email>`

const oneTimePasswordText = (email: string, password: string) =>
  `${email} may sign in with the password ${password} and must then choose a new one.`

type Parts = { db: Db; clock: Clock; hasOwnProvider: boolean }

/** Each command returns the line to print; null if its arguments are incomplete. */
const commands: Record<string, (parts: Parts, args: string[]) => Promise<string> | null> = {
  add: (parts, [email, role, name]) => {
    if (email === undefined || role === undefined) return null
    return addStaff(parts, { email, role, name }).then(({ password }) =>
      password === null
        ? `${email} may sign in once they have an account under that email.`
        : oneTimePasswordText(email, password),
    )
  },
  reset: (parts, [email]) => {
    if (email === undefined) return null
    if (!parts.hasOwnProvider) throw new StartupError('Passwords are in the Supabase project: reset them there.')
    return setOneTimePassword(parts, email).then(({ password }) => oneTimePasswordText(email, password))
  },
  'reset-second-factor': (parts, [email]) => {
    if (email === undefined) return null
    return resetSecondFactor(parts, email).then(() => `${email} may sign in without a second factor.`)
  },
}

async function main([name, ...args]: string[]): Promise<void> {
  const command = commands[name ?? '']
  if (command === undefined || args.length === 0) throw new StartupError(usage)
  const settings = readSettings(process.env)
  const { db, close } = await openExistingDatabase(settings)
  try {
    const done = command({ db, clock: systemClock, hasOwnProvider: settings.supabase === undefined }, args)
    if (done === null) throw new StartupError(usage)
    console.log(await done)
  } finally {
    await close()
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
