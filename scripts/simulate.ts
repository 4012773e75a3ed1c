import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postgresForTests } from './postgres.ts'
import { projectRoot } from './project.ts'
import { workerCount } from './workers.ts'

/**
 * `npm run simulate -- --seeds 1000` runs so many simulations from a new seed on, `--seed X` from that one on, `--steps N`
 * with so many steps each (500), `--twice` each twice to compare the events. `--script FILE` repeats one that failed.
 * `--database postgres` runs them on a temporary PostgreSQL, or the one of TEST_DATABASE_URL.
 * All options are described in `tests/simulation/main.ts`. Several processes share the seeds.
 */
const { values, tokens } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    script: { type: 'string' },
    table: { type: 'string' },
    report: { type: 'string' },
    database: { type: 'string' },
  },
  strict: false,
  tokens: true,
})
/** Each embedded database keeps some memory, so a process ends after this many simulations. */
const seedsPerProcess = 50
const main = join(projectRoot, 'tests/simulation/main.ts')
const others = tokens.flatMap((token) =>
  token.kind === 'option' && !['seeds', 'seed'].includes(token.name)
    ? [token.value === undefined ? token.rawName : `${token.rawName}=${token.value}`]
    : token.kind === 'positional'
      ? [token.value]
      : [],
)

const postgres = values.database === 'postgres' ? await postgresForTests() : null
if (values.database === 'postgres' && postgres === null) process.exit(1)
const env = postgres === null ? process.env : { ...process.env, TEST_DATABASE_URL: postgres.url }
const children = new Set<ChildProcess>()
let hasFailed = false
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopping = true
    for (const child of children) child.kill('SIGKILL')
  })
}

async function run(options: string[]): Promise<void> {
  const child = spawn(process.execPath, [main, ...options], { cwd: projectRoot, stdio: 'inherit', env })
  children.add(child)
  const code = await new Promise((resolve) => child.once('close', resolve))
  children.delete(child)
  if (code !== 0) hasFailed = true
}

if (values.script !== undefined || values.table !== undefined) {
  await run(others)
} else {
  const first = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
  const count = Number(values.seeds)
  console.log(`Simulations of the seeds ${first} to ${first + count - 1}.`)
  const workers = Math.min(workerCount(1.5), count)
  let next = 0
  const worker = async () => {
    while (next < count && !isStopping) {
      const size = Math.min(seedsPerProcess, Math.ceil(count / workers), count - next)
      const seed = first + next
      next += size
      await run([`--seed=${seed}`, `--seeds=${size}`, ...others])
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
await postgres?.stop()
process.exitCode = hasFailed || isStopping ? 1 : 0
