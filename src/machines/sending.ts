import { assign } from 'xstate'
import { limits } from '../domain/limits.ts'
import type { OutgoingStatus } from '../domain/send/outgoing.ts'
import { wasRefused } from '../domain/send/send-outcome.ts'
import { generalToasts } from '../domain/toasts.ts'
import { notifyFailure } from './notify-failure.ts'
import { notify } from './system.ts'

/**
 * A send that leaves at most once for its key, as parts of a machine's `setup` and states. The machine defines the guard
 * 'is offline' and the actions 'set the status' and 'report the progress'. Its states 'unconfirmed' (with 'pausing',
 * 'checking' and 'checked'), 'refused', 'notFound', 'offline', 'waiting' and 'failed' are made of these parts.
 */
export type Attempts = {
  /** Checks since the result became unknown, or since the person asked for one. */
  checks: number
  /** An earlier attempt was sent, and its result is unknown. */
  hasUnknownResult: boolean
}

export const noAttempts: Attempts = { checks: 0, hasUnknownResult: false }

export type AttemptEvent = { type: 'send.retried' } | { type: 'check.requested' } | { type: 'browser.online' }

type Args = { context: Attempts }

const checksBeforeStop = 4

export const sendingDelays = {
  /** Milliseconds. Longer than the client's own timeout. */
  sendTimeout: limits.apiTimeout + 5_000,
  lookupTimeout: limits.apiTimeout,
  checkDelay: ({ context }: Args) => 2_000 * 2 ** context.checks,
}

export const sendingGuards = {
  isOnline: () => true,
  'has an unknown result': ({ context }: Args) => context.hasUnknownResult,
  'was refused': (_: unknown, { error }: { error: unknown }) => wasRefused(error),
  'has checks left': ({ context }: Args) => context.checks < checksBeforeStop,
}

type Assignment = (args: Args) => void

/** XState types an action by its machine. These read and assign only `Attempts`. */
export const sendingActions = {
  notify,
  'notify failure': notifyFailure,
  'mark the result unknown': assign({ hasUnknownResult: true, checks: 0 }) as unknown as Assignment,
  'reset the checks': assign({ checks: 0 }) as unknown as Assignment,
  'count the check': assign(({ context }: Args) => ({ checks: context.checks + 1 })) as unknown as Assignment,
}

const report = (status: OutgoingStatus) => [
  { type: 'set the status' as const, params: { status } },
  'report the progress' as const,
]

/** Retries with the same key and address. Offline, only shows a toast. */
const retrying = [
  { guard: 'isOnline' as const, target: 'sending' as const },
  { actions: { type: 'notify' as const, params: generalToasts.network } },
]

/** A refusal does not prove that an earlier attempt with an unknown result failed. */
export const refused = {
  always: [{ guard: 'has an unknown result' as const, target: 'unconfirmed' as const }, { target: 'failed' as const }],
}

/** The state 'unconfirmed' but for its state 'checking', which looks for what was sent. */
export const unconfirmed = {
  entry: ['mark the result unknown' as const, ...report('unconfirmed')],
  initial: 'pausing' as const,
  pausing: { after: { checkDelay: 'checking' as const } },
  /** `notFound`: that state, as '#machine.notFound'. */
  checked: <NotFound extends string>(notFound: NotFound) => ({
    entry: 'count the check' as const,
    always: [{ guard: 'has checks left' as const, target: 'pausing' as const }, { target: notFound }],
  }),
  on: {
    'check.requested': { target: '.checking' as const, actions: 'reset the checks' as const },
    'send.retried': retrying,
  },
}

/** The states in which nothing happens until the person, the browser or the owner asks. `begin`: the state of a new attempt. */
export const heldStates = <Begin extends string>(begin: Begin) => ({
  notFound: {
    entry: report('notFound'),
    on: { 'check.requested': 'unconfirmed.checking' as const, 'send.retried': retrying },
  },
  offline: {
    entry: report('offline'),
    on: { 'browser.online': 'waiting' as const, 'send.retried': begin },
  },
  waiting: { entry: report('waiting'), on: { 'send.retried': begin } },
  failed: { entry: report('failed'), on: { 'send.retried': begin } },
})
