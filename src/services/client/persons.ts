import { type Erasable, type Erasure, erasableAnswer, erasureAnswer, personDocument } from '../../schemas/person.ts'
import type { Http } from '../http.ts'

type Person = { conversationId: string }

const pathOf = ({ conversationId }: Person) => `/persons/${encodeURIComponent(conversationId)}`

/** Export and erasure of a person. All throw `Failure`. */
export function createPersons(http: Http, save: (name: string, text: string) => void) {
  return {
    /** Saves all data of the person on the server as a file. */
    exportPerson: async (person: Person, signal: AbortSignal): Promise<void> => {
      const document = await http.get(`${pathOf(person)}/export`, { schema: personDocument, signal })
      save('person.json', JSON.stringify(document, null, 2))
    },

    loadErasable: async (person: Person, signal: AbortSignal): Promise<Erasable> =>
      (await http.get(`${pathOf(person)}/erasable`, { schema: erasableAnswer, signal })).data,

    /** Begins to erase the person, or finds the erasure that is running. Never aborted. */
    erasePerson: async ({ withClient, ...person }: Person & { withClient: boolean }): Promise<Erasure> =>
      (await http.post(`${pathOf(person)}/erase`, { schema: erasureAnswer, body: { withClient } })).data,

    loadErasure: async ({ id }: { id: string }, signal: AbortSignal): Promise<Erasure> =>
      (await http.get(`/erasures/${encodeURIComponent(id)}`, { schema: erasureAnswer, signal })).data,
  }
}
