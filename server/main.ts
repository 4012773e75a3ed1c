import { collectDefaultMetrics } from 'prom-client'
import { createLogger, logDestination, traceOf } from './logger.ts'
import { readSettings } from './settings.ts'
import { demoLegacyStaff, demoStaff } from './stand-ins/supabase/demo-staff.ts'
import { startServer } from './start-server.ts'
import { StartupError } from './startup-error.ts'

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const logger = createLogger(settings.logLevel, await logDestination({ isTTY: process.stdout.isTTY }))
  collectDefaultMetrics()
  const server = await startServer(settings, { logger })

  let isStopping = false
  const stop = () => {
    // A second signal exits at once.
    if (isStopping) process.exit(1)
    isStopping = true
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(traceOf(error), 'the server did not shut down cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  // Who reads the address may send a signal at once.
  process.stdout.write(`Staff Inbox is at ${server.address}\n`)
  if (server.isDemo) {
    process.stdout.write('Sign in with one of these; the password of each is in the second column:\n')
    for (const { email, password, role } of demoStaff) process.stdout.write(`  ${email}  ${password}  (${role})\n`)
    for (const { email, password, role, note } of demoLegacyStaff) {
      process.stdout.write(`  ${email}  ${password}  (${role}; ${note})\n`)
    }
  }
}

try {
  await main()
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
