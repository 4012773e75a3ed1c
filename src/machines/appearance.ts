import { type ActorRefFrom, fromTransition } from 'xstate'

export type Appearance = 'system' | 'light' | 'dark'
export type AppearanceEvent = { type: 'appearance.chosen'; appearance: Appearance }

/** How the product looks: what the person chose last. Whoever starts it shows it and remembers it. */
export const appearanceLogic = fromTransition<Appearance, AppearanceEvent, never, Appearance>(
  (_, event) => event.appearance,
  ({ input }) => input,
)
export type AppearanceActor = ActorRefFrom<typeof appearanceLogic>
