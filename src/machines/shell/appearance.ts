import { type ActorRefFrom, fromTransition, type SnapshotFrom } from 'xstate'

export type Appearance = 'system' | 'light' | 'dark'
export type AppearanceEvent = { type: 'appearance.chosen'; appearance: Appearance }

/** The appearance that the person chose last. The actor's owner applies and stores the appearance. */
export const appearanceLogic = fromTransition<Appearance, AppearanceEvent, never, Appearance>(
  (_, event) => event.appearance,
  ({ input }) => input,
)
export type AppearanceActor = ActorRefFrom<typeof appearanceLogic>

export const selectAppearance = (snapshot: SnapshotFrom<typeof appearanceLogic>): Appearance => snapshot.context
