import type { ClientDataChanged } from '../../domain/client/client-data.ts'
import { Failure } from '../../domain/failure.ts'
import type { MovedChat } from '../../schemas/chats.ts'
import { clientChangedCode } from '../../schemas/client.ts'
import type { SessionReport } from '../session-events.ts'

/** The guard of a change that the server refuses because somebody else changed the client since it was loaded. */
export const changedMeanwhile = {
  'was changed by somebody else': (_: unknown, { error }: { error: unknown }): boolean =>
    error instanceof Failure && error.code === clientChangedCode,
}

/**
 * The report that identities have another conversation or client. `unlinkedClient`: the client that lost its
 * conversation.
 */
export const chatsChanged = (rows: readonly MovedChat[], unlinkedClient: string | null): SessionReport => ({
  type: 'chats.changed',
  changes: rows.map((row) => ({ type: 'UPDATE', row })),
  unlinkedClient,
})

/** The transition for a change of the client that the machine shows: its guard is 'is about the client'. */
export const ifAbout = <Target extends string>(target: Target) => ({
  guard: { type: 'is about the client' as const, params: ({ event }: { event: ClientDataChanged }) => event },
  target,
})
