import type { ActorRef, Snapshot } from 'xstate'
import {
  type ItemFormEvent,
  type ItemFormSnapshot,
  selectAsksToDiscard,
  selectError,
  selectFields,
  selectIsNew,
  selectIsSaving,
} from '../machines/item-forms.ts'
import { useSelector } from './use-selector.ts'

/** The form of a new or edited item. `frame` holds the props of `FormFrame` that every form has. */
export function useItemForm<Fields extends object>(
  actor: ActorRef<Snapshot<unknown> & ItemFormSnapshot<Fields>, ItemFormEvent<Fields>>,
) {
  const isSaving = useSelector(actor, selectIsSaving)
  return {
    fields: useSelector(actor, selectFields<Fields>),
    change: (change: Partial<Fields>) => actor.send({ type: 'fields.typed', change }),
    isNew: useSelector(actor, selectIsNew),
    isSaving,
    frame: {
      actor,
      error: useSelector(actor, selectError),
      isSaving,
      asksToDiscard: useSelector(actor, selectAsksToDiscard),
    },
  }
}
