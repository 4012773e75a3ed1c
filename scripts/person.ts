import { pipeline } from 'node:stream/promises'
import { systemClock } from '../server/clock.ts'
import { openExistingDatabase } from '../server/database/open-database.ts'
import { createLogger } from '../server/logger.ts'
import { eraseByCommand, exportByCommand } from '../server/person-command.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run --silent person -- export|erase <psid, client id or conversation id> [--with-client]'

async function main([command, id, option]: string[]): Promise<void> {
  const withClient = option === '--with-client'
  const isKnown = command === 'export' || command === 'erase'
  if (!isKnown || id === undefined || (option !== undefined && !(withClient && command === 'erase'))) {
    throw new StartupError(usage)
  }
  const settings = readSettings(process.env)
  const { db, close } = await openExistingDatabase(settings)
  try {
    const parts = {
      db,
      clock: systemClock,
      logger: createLogger('error', { write: (line: string) => void process.stderr.write(line) }),
    }
    if (command === 'erase') {
      await eraseByCommand(parts, settings, { id, withClient })
      console.log('The person was erased.')
    } else {
      await pipeline(exportByCommand(parts, id), process.stdout, { end: false })
    }
  } finally {
    await close()
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isCutOff = error instanceof Error && 'code' in error && error.code === 'EPIPE'
  if (!isCutOff && !(error instanceof StartupError)) throw error
  console.error(isCutOff ? 'The export is incomplete: its output was closed.' : error.message)
  process.exitCode = 1
}
