import type { Clock } from '../../../clock.ts'
import { type Binding, joinPayload, matches } from './bindings.ts'
import type { Change } from './changes.ts'

/** What the realtime service needs to know of a token; `fault` is shown to the client. */
export type TokenVerdict =
  /** `expiresAt` in milliseconds. */
  { valid: true; expiresAt: number } | { valid: false; fault: string; message: string }
export type VerifyToken = (token: string) => Promise<TokenVerdict>

/** Milliseconds after which a token is looked at again though it has not expired: its session may have ended. */
const longestTrust = 5 * 60_000

let lastBindingId = 0

export type Channel = {
  topic: string
  joinRef: string | null
  bindings: Binding[]
  /** The ids of the bindings that asked for this change. */
  idsFor(change: Change): number[]
  /** Takes a fresh token; one that is not good ends the channel. */
  takeToken(token: string): Promise<void>
  /** Calls off what the channel waits for. */
  dispose(): void
}

export type JoinOutcome = { channel: Channel } | { refusal: string }

/**
 * Joins a channel as the real service would: its token must be good, and is looked at again when it expires.
 * `onSubscribed` is called for each later token that is good, `onEnded` when one is not, with the reason.
 */
export const joinChannel = async ({
  topic,
  joinRef,
  payload,
  verifyToken,
  onSubscribed,
  onEnded,
  clock,
}: {
  topic: string
  joinRef: string | null
  payload: unknown
  verifyToken: VerifyToken
  onSubscribed: (channel: Channel) => void
  onEnded: (channel: Channel, reason: string) => void
  clock: Clock
}): Promise<JoinOutcome> => {
  const asked = joinPayload.safeParse(payload)
  if (!asked.success) return { refusal: 'InvalidJoinPayload: The join asks for what this service does not have' }
  let token = asked.data.access_token
  if (token === undefined || token === null) return { refusal: 'Unauthorized: An access token is required' }
  const first = await verifyToken(token)
  if (!first.valid) return { refusal: `${first.fault}: ${first.message}` }

  const bindings = (asked.data.config?.postgres_changes ?? []).map((binding): Binding => {
    lastBindingId += 1
    return { id: lastBindingId, ...binding }
  })
  let disposed = false
  let callOff = () => {}

  const end = (reason: string) => {
    if (disposed) return
    channel.dispose()
    onEnded(channel, reason)
  }

  const check = async (): Promise<boolean> => {
    const checked = token ?? ''
    const verdict = await verifyToken(checked).catch(() => null)
    if (disposed || checked !== token) return false
    // The database is away: the listener is too, and closes the socket; until then the token is as good as it was.
    if (verdict === null) {
      callOff = clock.after(longestTrust / 10, () => void check())
      return false
    }
    if (!verdict.valid) end(verdict.message)
    else trustUntil(verdict.expiresAt)
    return verdict.valid
  }

  const trustUntil = (expiresAt: number) => {
    callOff()
    callOff = clock.after(Math.min(longestTrust, Math.max(0, expiresAt - clock.now())), () => void check())
  }

  const channel: Channel = {
    topic,
    joinRef,
    bindings,
    idsFor: (change) => bindings.filter((binding) => matches(binding, change)).map(({ id }) => id),
    takeToken: async (fresh) => {
      if (disposed || fresh === token) return
      token = fresh
      if (await check()) onSubscribed(channel)
    },
    dispose: () => {
      disposed = true
      callOff()
    },
  }
  trustUntil(first.expiresAt)
  return { channel }
}
