import { restoreBackup } from '../server/backup/backup.ts'
import type { ErasedAfterBackup } from '../server/backup/restore.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run restore -- <file> [--replace] [--bring-back-erased]'
const options = ['--replace', '--bring-back-erased']

const peopleOf = (count: number) => (count === 1 ? '1 person was' : `${count} people were`)

/** What the operator has to know about people who were erased after the backup. */
function aboutErased(erased: ErasedAfterBackup): string {
  switch (erased.outcome) {
    case 'unknown':
      return 'People who were erased after the backup are back: the database that was replaced does not name them. Erase\nthem again.'
    case 'nobody':
      return 'No person who was erased after the backup is back.'
    case 'kept erased':
      return `${peopleOf(erased.people)} erased after the backup. The server erases them again when it starts. Clients that\nwere erased with them are back: delete these by hand.`
    case 'back on request':
      return `${peopleOf(erased.people)} erased after the backup, and may be back.`
    case 'back without key':
      return `${peopleOf(erased.people)} erased after the backup, and may be back: the keys of the two databases differ or cannot\nbe read. Erase them again.`
  }
}

async function main(words: string[]): Promise<void> {
  const [file, ...others] = words.filter((word) => !options.includes(word))
  if (file === undefined || others.length > 0) throw new StartupError(usage)
  const erased = await restoreBackup(readSettings(process.env), file, {
    replace: words.includes('--replace'),
    bringBackErased: words.includes('--bring-back-erased'),
  })
  console.log(
    `${file} is restored. Start the server with the secret key that it had when the backup was made. Then sync`,
  )
  console.log('the history of each page: messages that came after the backup are read from the network.')
  console.log(aboutErased(erased))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
