import type { ActorRefFrom } from 'xstate'
import type { System } from '../system.ts'
import type { notesMachine } from './notes.ts'

/** The number of notes that are typed and not saved. Apart from the machine, whose code loads after the first rows. */
export function countNotesIn(system: System): number {
  const notes: ActorRefFrom<typeof notesMachine> | undefined = system.get('notes')
  return Object.values(notes?.getSnapshot().context.texts ?? {}).filter((text) => text.trim() !== '').length
}
