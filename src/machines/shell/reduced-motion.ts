import { type ActorRefFrom, fromTransition, type SnapshotFrom } from 'xstate'

export type ReducedMotionEvent = { type: 'motion.chosen'; isReduced: boolean }

/** Whether nothing moves in this browser, whatever the system's setting. The actor's owner applies and stores the choice. */
export const reducedMotionLogic = fromTransition<boolean, ReducedMotionEvent, never, boolean>(
  (_, { isReduced }) => isReduced,
  ({ input }) => input,
)
export type ReducedMotionActor = ActorRefFrom<typeof reducedMotionLogic>

export const selectIsReduced = (snapshot: SnapshotFrom<typeof reducedMotionLogic>): boolean => snapshot.context
