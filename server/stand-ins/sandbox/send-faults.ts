import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Clock } from '../../clock.ts'
import { consumeSendFault } from './faults.ts'
import { SandboxRefusal } from './refusals.ts'
import type { SandboxDb } from './tables.ts'

/** The environment of a route; `incoming` is missing in tests without a socket. */
export type Env = { Bindings: Partial<HttpBindings> }

/** Closes the connection without a response. */
export function breakConnection(c: Context<Env>): Response {
  c.env.incoming?.socket.destroy()
  return new Response(null, { status: 502 })
}

/** Answers a call of the app that changes something, with the injected faults of sends. */
export async function answerWithFaults(
  c: Context<Env>,
  { db, clock }: { db: SandboxDb; clock: Clock },
  work: () => Promise<object>,
): Promise<Response> {
  const { refuse, loseRequest, loseAnswer, delay } = await consumeSendFault(db)
  if (refuse !== null) throw new SandboxRefusal(refuse.code, refuse.subcode, 'Injected', refuse.status)
  if (loseRequest) return breakConnection(c)
  const answer = await work()
  if (delay > 0) await new Promise<void>((resolve) => clock.after(delay, resolve))
  return loseAnswer ? breakConnection(c) : c.json(answer)
}
