import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { emptyApiKeyDraft } from '../../../src/domain/session/api-key-draft.ts'
import { apiKeysMachine } from '../../../src/machines/session/api-keys.ts'
import type { ApiKey, CreateApiKeyBody } from '../../../src/schemas/api-key.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { staffFaults } from './staff-fixture.ts'

const keyOf = (id: string, rest: Partial<ApiKey> = {}): ApiKey => ({
  id,
  name: `Name ${id}`,
  ending: 'abcd',
  scopes: ['clients.import'],
  created_by: 'Ana Reyes',
  created_at: '2026-01-05T12:00:00Z',
  last_used_at: null,
  ...rest,
})
export const shop = keyOf('shop')
export const till = keyOf('till', { scopes: ['orders.import'], last_used_at: '2026-01-06T12:00:00Z' })
export const newKey = { name: 'New' }

export function startApiKeys(alsoInspect: Inspect = () => {}) {
  const load = createControl<readonly ApiKey[]>()
  const create = createControl<string, CreateApiKeyBody>()
  const revoke = createControl<void, { id: string }>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const machine = apiKeysMachine.provide({
    actors: { loadApiKeys: load.logic, createApiKey: create.logic, revokeApiKey: revoke.logic },
  })
  const actor = createActor(machine, { clock, inspect }).start()
  return { load, create, revoke, clock, actor, toasts }
}

export const apiKeysModel = () => {
  const isQuiet = (snapshot: SnapshotFrom<typeof apiKeysMachine>) =>
    snapshot.matches({ open: { keys: 'showing', work: 'list' } }) &&
    snapshot.context.item === null &&
    snapshot.context.draft === emptyApiKeyDraft
  return modelOf(apiKeysMachine, {
    input: undefined,
    vertex: ({ context }: SnapshotFrom<typeof apiKeysMachine>) => context,
    cases: {
      'refetch.requested': (snapshot) =>
        snapshot.matches({ open: { work: 'list' } }) && snapshot.context.item === null ? [{}] : [],
      'keys.invalidated': [],
      'item.added': (snapshot) => (isQuiet(snapshot) ? [{}] : []),
      'deletion.requested': (snapshot) => (isQuiet(snapshot) ? [{ item: shop }] : []),
      'deletion.confirmed': [{}],
      'deletion.cancelled': [{}],
      'draft.changed': ({ context }) => (context.draft.name === '' ? [{ change: newKey }] : []),
      'form.submitted': [{}],
      'form.cancelled': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'secret.taken': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadApiKeys': [{ output: [shop, till] }],
      'xstate.error.actor.loadApiKeys': ({ context }) =>
        context.failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.createApiKey': [{ output: 'sik_secret' }],
      'xstate.error.actor.createApiKey': ({ context }) =>
        context.error === null ? [{ error: staffFaults.refused }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.revokeApiKey': [{ output: undefined }],
      'xstate.error.actor.revokeApiKey': [{ error: staffFaults.unnamed }],
    },
  })
}
