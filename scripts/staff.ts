import { addStaff } from '../server/add-staff.ts'
import { systemClock } from '../server/clock.ts'
import { openDatabase } from '../server/database/open-database.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run staff -- add <e-mail> <administrator|agent|viewer> ["Name"]'

async function main([command, email, role, name]: string[]): Promise<void> {
  if (command !== 'add' || email === undefined || role === undefined) throw new StartupError(usage)
  const settings = readSettings(process.env)
  const { db, close } = await openDatabase(
    settings.databaseUrl === undefined ? { dataDir: settings.dataDir } : { databaseUrl: settings.databaseUrl },
  )
  try {
    const hasOwnProvider = settings.supabase === undefined
    const { password } = await addStaff({ db, clock: systemClock, hasOwnProvider }, { email, role, name })
    console.log(
      password === null
        ? `${email} may sign in once they have an account under that e-mail.`
        : `${email} may sign in with the password ${password}`,
    )
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
