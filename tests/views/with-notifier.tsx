import type { ReactNode } from 'react'
import { createActor } from 'xstate'
import { notifierMachine, selectToasts } from '../../src/machines/shell/notifier.ts'
import { type Actors, ActorsProvider } from '../../src/views/actors.tsx'

/** A view that needs no actor besides its own but the notifier, and the toasts that it asks for. */
export function withNotifier(view: ReactNode) {
  const notifier = createActor(notifierMachine, { input: { now: Date.now } }).start()
  return {
    element: <ActorsProvider actors={{ notifier } as unknown as Actors}>{view}</ActorsProvider>,
    toasts: () => selectToasts(notifier.getSnapshot()).map(({ kind, text }) => [kind, text]),
  }
}
