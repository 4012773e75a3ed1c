import type { SnapshotFrom } from 'xstate'
import { draftSyncMachine } from '../../../src/machines/send/draft-sync.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'

export const draftUser: AuthUser = {
  id: 's1',
  email: 'ana@example.com',
  role: 'agent',
  permissions: ['conversations.read', 'messages.send'],
  features: ['drafts'],
}
export const userWithoutDrafts: AuthUser = { ...draftUser, features: [] }

export const saveOf = (text: string, conversationId = 'c1') => ({
  conversationId,
  text,
  extras: null,
  version: 'v1',
  replaces: null,
})

/** The person types a draft, which is saved, refused or fails. */
export const draftSyncModel = (input: AuthUser = draftUser) =>
  modelOf(draftSyncMachine, {
    input: { user: input },
    vertex: ({ context }: SnapshotFrom<typeof draftSyncMachine>) => [
      context.isStale,
      context.next?.text,
      context.isFlushing,
      Math.min(context.failures, 1),
    ],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'user.confirmed': [{ user: draftUser }],
      'drafts.changed': [{ next: saveOf('a') }, { next: null }],
      // After an answer, or because another tab has changed a draft.
      'drafts.merged': ({ context, value }) =>
        value === 'merging' ? [{ next: context.next }, { next: null }] : value === 'pausing' ? [{ next: null }] : [],
      'drafts.invalidated': [{}],
      'tab.hidden': [{}],
      'flush.requested': [{}],
      'xstate.done.actor.loadDrafts': [{ output: [] }],
      'xstate.done.actor.saveDraft': [{ output: { isSaved: true, draft: null } }],
      'xstate.error.actor.loadDrafts': [{ error: faults.noAnswer }, { error: faults.refused }],
      'xstate.error.actor.saveDraft': [{ error: faults.noAnswer }, { error: faults.refused }],
    },
  })
