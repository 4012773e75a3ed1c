import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../server/database/database.ts'
import { type Spread, spreadOf } from './figures.ts'
import type { Fill } from './fill.ts'

/** `besideWrites`: while 100 messages a second are stored. Milliseconds. */
export type BesideWrites = { alone: Spread; besideWrites: Spread }

let stored = 0

/** Stores messages of different conversations with one statement, as the ingest does. `text`: of message `m`, in SQL. */
export async function storeMessages(
  db: Db,
  { conversations }: Pick<Fill, 'conversations'>,
  text: RawBuilder<string>,
  messages: number,
): Promise<void> {
  stored += messages
  await sql`
    insert into messages (message_id, fb_user_id, message_text, direction)
    select 'live-' || number, 'user-' || n, ${text}, 'incoming'
    from generate_series(${stored - messages}::integer, ${stored - 1}::integer) number
    cross join lateral (select (number::bigint * 7919 % ${conversations}::integer)::integer as n, number as m) of`.execute(
    db,
  )
}

/** Stores 100 messages a second until it is stopped. */
function startWriter(db: Db, size: Pick<Fill, 'conversations'>, text: RawBuilder<string>) {
  let isRunning = true
  const writing = (async () => {
    while (isRunning) {
      const start = performance.now()
      await storeMessages(db, size, text, 5)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 50 - (performance.now() - start))))
    }
  })()
  return {
    async stop() {
      isRunning = false
      await writing
    },
  }
}

/** Measures `run` so many rounds alone, and again while messages with this text are stored. */
export async function timesBesideWrites(
  db: Db,
  size: Pick<Fill, 'conversations'>,
  { text, rounds, run }: { text: RawBuilder<string>; rounds: number; run: (round: number) => Promise<unknown> },
): Promise<BesideWrites> {
  const alone = await timesOf(rounds, run)
  const writer = startWriter(db, size, text)
  try {
    return { alone, besideWrites: await timesOf(rounds, run) }
  } finally {
    await writer.stop()
  }
}

/** Five rounds before the first one that counts fill the caches. */
async function timesOf(rounds: number, run: (round: number) => Promise<unknown>): Promise<Spread> {
  const durations: number[] = []
  for (let round = -5; round < rounds; round++) {
    const start = performance.now()
    await run(round + 5)
    if (round >= 0) durations.push(performance.now() - start)
  }
  return spreadOf(durations)
}
