import type { Clock } from '../../../clock.ts'
import { type Binding, joinPayload, matches } from './bindings.ts'
import type { AccessChange, Change } from './changes.ts'

/** `fault` is shown to the client. */
export type TokenVerdict =
  /** `expiresAt` in milliseconds. */
  | { valid: true; expiresAt: number; userId: string; sessionId: string }
  | { valid: false; fault: string; message: string }
export type VerifyToken = (token: string) => Promise<TokenVerdict>

/** A token is verified again after this many milliseconds, because its session may have ended. */
const maxVerificationAge = 5 * 60_000

export type Channel = {
  topic: string
  joinRef: string | null
  bindings: Binding[]
  /** The ids of the bindings that match this change. */
  idsFor(change: Change): number[]
  /** Whether this change concerns the session or the user of the token. */
  isHeldBy(change: AccessChange): boolean
  /** Verifies the token again. An invalid one ends the channel. */
  verify(): Promise<void>
  /** Replaces the token. An invalid one ends the channel. */
  updateToken(token: string): Promise<void>
  /** Cancels the channel's timers. */
  dispose(): void
}

export type JoinOutcome = { channel: Channel } | { refusal: string }

/**
 * Joins a channel like the real service: the token must be valid and is verified again when it expires. `onSubscribed` is
 * called for each later valid token, `onEnded` with the reason for an invalid one.
 */
export const joinChannel = async ({
  topic,
  joinRef,
  payload,
  verifyToken,
  onSubscribed,
  onEnded,
  accessChanges,
  clock,
}: {
  topic: string
  joinRef: string | null
  payload: unknown
  verifyToken: VerifyToken
  onSubscribed: (channel: Channel) => void
  onEnded: (channel: Channel, reason: string) => void
  /** The number of announced changes of access. One that arrives during a verification may have been missed by it. */
  accessChanges: () => number
  clock: Clock
}): Promise<JoinOutcome> => {
  const request = joinPayload.safeParse(payload)
  if (!request.success) return { refusal: 'InvalidJoinPayload: The join asks for what this service does not have' }
  let token = request.data.access_token
  if (token === undefined || token === null) return { refusal: 'Unauthorized: An access token is required' }
  const first = await verifyToken(token)
  if (!first.valid) return { refusal: `${first.fault}: ${first.message}` }
  let subject = first

  const requested = request.data.config?.postgres_changes ?? []
  const bindings = requested.map((binding, index): Binding => ({ id: index + 1, ...binding }))
  let disposed = false
  let cancelTimer = () => {}

  const end = (reason: string) => {
    if (disposed) return
    channel.dispose()
    onEnded(channel, reason)
  }

  const check = async (): Promise<boolean> => {
    const checked = token ?? ''
    const changesBefore = accessChanges()
    const verdict = await verifyToken(checked).catch(() => null)
    if (disposed || checked !== token) return false
    if (accessChanges() !== changesBefore) return check()
    // The database is unreachable. Try again soon; the lost change listener closes the socket anyway.
    if (verdict === null) {
      cancelTimer = clock.after(maxVerificationAge / 10, () => void check())
      return false
    }
    if (!verdict.valid) end(verdict.message)
    else {
      subject = verdict
      scheduleCheck(verdict.expiresAt)
    }
    return verdict.valid
  }

  const scheduleCheck = (expiresAt: number) => {
    cancelTimer()
    cancelTimer = clock.after(Math.min(maxVerificationAge, Math.max(0, expiresAt - clock.now())), () => void check())
  }

  const channel: Channel = {
    topic,
    joinRef,
    bindings,
    idsFor: (change) => bindings.filter((binding) => matches(binding, change)).map(({ id }) => id),
    isHeldBy: (change) =>
      'userId' in change ? subject.userId === change.userId : subject.sessionId === change.sessionId,
    verify: async () => void (await check()),
    updateToken: async (fresh) => {
      if (disposed || fresh === token) return
      token = fresh
      if (await check()) onSubscribed(channel)
    },
    dispose: () => {
      disposed = true
      cancelTimer()
    },
  }
  scheduleCheck(first.expiresAt)
  return { channel }
}
