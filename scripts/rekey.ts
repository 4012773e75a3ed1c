import { openExistingDatabase } from '../server/database/open-database.ts'
import { discardUnreadable, rekey } from '../server/rekey.ts'
import { keyringOf } from '../server/secrets.ts'
import { readSettings } from '../server/settings.ts'
import { StartupError } from '../server/startup-error.ts'

const usage = 'npm run rekey [-- --discard-unreadable]'

async function main(options: string[]): Promise<void> {
  const discards = options.includes('--discard-unreadable')
  if (options.length > (discards ? 1 : 0)) throw new StartupError(usage)
  const settings = readSettings(process.env)
  if (settings.secretKeys === undefined && !discards) {
    throw new StartupError('Set SECRET_KEYS to the new key and the old one, separated by a comma.')
  }
  const { db, close } = await openExistingDatabase(settings)
  try {
    const keyring = keyringOf(settings)
    if (discards) {
      const { tokens, keys } = await discardUnreadable(db, keyring)
      console.log(`${tokens} unreadable page tokens were discarded.`)
      if (keys > 0) console.log('The key of erased people was discarded too: a sync may bring these people back.')
      return
    }
    const { keys, tokens, pictures, factors, webhooks, shops } = await rekey(db, keyring)
    console.log(
      `Encrypted with the newest key: ${keys.renewed} stored keys, ${tokens.renewed} page tokens, ${pictures.renewed} pictures, ${factors.renewed} second factors, ${webhooks.renewed} webhook secrets, ${shops.renewed} keys of shops.`,
    )
    const unreadable = [keys, tokens, pictures, factors, webhooks, shops].reduce(
      (sum, kind) => sum + kind.unreadable,
      0,
    )
    if (unreadable === 0) return
    console.error(
      `No key reads ${keys.unreadable} stored keys, ${tokens.unreadable} page tokens, ${pictures.unreadable} pictures, ${factors.unreadable} second factors, ${webhooks.unreadable} webhook secrets and ${shops.unreadable} keys of shops. Keep the older keys.`,
    )
    process.exitCode = 1
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
