import { CircleCheck } from 'lucide-react'
import { useCallback } from 'react'
import { doneTime } from '../../domain/list/decision-texts.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import { useDoneWords } from '../list/use-done-words.ts'

/** Who closed the open conversation, and when. */
export default function DoneLine({ state }: { state: ConversationState }) {
  const words = useDoneWords(
    state,
    useCallback((now) => doneTime(state, now), [state]),
  )
  return (
    <p
      role="status"
      className="flex shrink-0 items-center justify-center gap-1.5 border-line border-t px-4 py-1.5 font-medium text-ok text-xs typing:hidden"
    >
      <CircleCheck size={14} aria-hidden="true" className="shrink-0" />
      {words}
    </p>
  )
}
