import type { ActorRefFrom } from 'xstate'
import { savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { itemManager } from '../item-manager.ts'
import { savedReplyFormMachine } from './saved-reply-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    savedReplyManager: typeof savedReplyManagerMachine
  }
}

/** The dialog of saved replies, with the uses of each. */
export const savedReplyManager = itemManager<SavedReply, typeof savedReplyFormMachine>({
  id: 'savedReplyManager',
  form: savedReplyFormMachine,
  toasts: savedReplyToasts,
})
export const savedReplyManagerMachine = savedReplyManager.machine

export type SavedReplyManagerActor = ActorRefFrom<typeof savedReplyManagerMachine>
