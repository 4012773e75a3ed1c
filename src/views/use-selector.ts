// biome-ignore lint/style/noRestrictedImports: this is the module to import instead
import { useSelector as useSelectorAtOnce } from '@xstate/react'
import type { AnyActorRef, Observer } from 'xstate'
import { inFrame, notInFrame } from './components/frames.ts'

export { shallowEqual } from '@xstate/react'

type Actor = Pick<AnyActorRef, 'subscribe' | 'getSnapshot'>

/** Each actor as its views see it. The same object each time, because a component subscribes again to another one. */
const shown = new WeakMap<Actor, Actor>()

function shownByFrame(actor: Actor): Actor {
  const known = shown.get(actor)
  if (known !== undefined) return known
  const created: Actor = {
    getSnapshot: () => actor.getSnapshot(),
    // @xstate/react subscribes with an observer only.
    subscribe: (({ next, error }: Observer<unknown>) => {
      const render = () => next?.(undefined)
      const { unsubscribe } = actor.subscribe({ next: () => inFrame(render), ...(error && { error }) })
      return {
        unsubscribe: () => {
          notInFrame(render)
          unsubscribe()
        },
      }
    }) as Actor['subscribe'],
  }
  shown.set(actor, created)
  return created
}

/**
 * A part of an actor's snapshot, as `useSelector` of @xstate/react. The component renders together with the other changes
 * of the frame (`components/frames.ts`).
 */
export const useSelector: typeof useSelectorAtOnce = (actor, select, isEqual) =>
  useSelectorAtOnce(actor && (shownByFrame(actor) as typeof actor), select, isEqual)
