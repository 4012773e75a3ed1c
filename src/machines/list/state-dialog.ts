import { type SnapshotFrom, setup } from 'xstate'
import type { StateDecision } from '../../schemas/conversation-state.ts'
import { createSendAction } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    snooze: typeof stateDialogMachine
    assign: typeof stateDialogMachine
  }
}

/** The conversations, as row ids. */
type Input = { ids: readonly string[] }

const requestChange = createSendAction<Input & { decision: StateDecision }>(({ ids, decision }, { system, self }) => [
  { to: system.get('session') ?? self, event: { type: 'change.requested', ids, decision } },
])

/** A dialog in which staff choose one decision about conversations: until when to snooze them, or whom to assign. */
export const stateDialogMachine = setup({
  types: {
    context: {} as Input,
    events: {} as { type: 'dialog.dismissed' } | { type: 'decision.made'; decision: StateDecision },
    input: {} as Input,
  },
  actions: { 'request the change': requestChange },
}).createMachine({
  id: 'stateDialog',
  context: ({ input }) => input,
  initial: 'open',
  states: {
    open: {
      on: {
        'dialog.dismissed': 'closed',
        'decision.made': {
          target: 'closed',
          actions: {
            type: 'request the change',
            params: ({ context, event }) => ({ ids: context.ids, decision: event.decision }),
          },
        },
      },
    },
    closed: { type: 'final' },
  },
})

/** The conversations that the decision is about, as row ids. */
export const selectConcerned = ({ context }: SnapshotFrom<typeof stateDialogMachine>): readonly string[] => context.ids
