import { restoreBackup } from '../server/backup/backup.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run restore -- <file> [--replace]'

async function main(words: string[]): Promise<void> {
  const [file, ...others] = words.filter((word) => word !== '--replace')
  if (file === undefined || others.length > 0) throw new StartupError(usage)
  await restoreBackup(readSettings(process.env), file, { replace: words.includes('--replace') })
  console.log(
    `${file} is restored. Start the server with the secret key that it had when the backup was made. Then sync`,
  )
  console.log('the history of each page: messages that came after the backup are read from the network.')
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
