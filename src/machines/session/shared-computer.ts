import { type ActorRefFrom, fromTransition, type SnapshotFrom } from 'xstate'

type SharedComputerEvent = { type: 'sharedComputer.chosen'; isShared: boolean }

/** Whether other people use this computer (the checkbox at sign-in). The composition stores the answer. */
export const sharedComputerLogic = fromTransition<boolean, SharedComputerEvent, never, boolean>(
  (_, { isShared }) => isShared,
  ({ input }) => input,
)
export type SharedComputerActor = ActorRefFrom<typeof sharedComputerLogic>

export const selectIsShared = (snapshot: SnapshotFrom<typeof sharedComputerLogic>): boolean => snapshot.context
