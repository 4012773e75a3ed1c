import { backUp } from '../server/backup/backup.ts'
import { systemClock } from '../server/clock.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run backup <file>'

async function main([file, ...others]: string[]): Promise<void> {
  if (file === undefined || others.length > 0) throw new StartupError(usage)
  const { lines, files } = await backUp(readSettings(process.env), file, systemClock.now())
  console.log(`${file} is complete (${lines} lines).`)
  console.log(
    files === null
      ? 'It has no files of customers: these are in the bucket.'
      : `It has ${files.found} files of customers${files.missing === 0 ? '' : `; ${files.missing} more are not in the folder`}.`,
  )
  console.log('It has no secret key: keep SECRET_KEY, or secret.key of DATA_DIR, in another place. Without the key the')
  console.log('page tokens in the backup cannot be read, and every page must be connected again.')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
