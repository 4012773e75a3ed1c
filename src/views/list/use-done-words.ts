import { useCallback } from 'react'
import { doneWords } from '../../domain/list/decision-texts.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { ConversationState } from '../../schemas/conversation-state.ts'
import { t } from '../../texts/list.ts'
import { useTimedText } from '../components/clock.ts'
import { useMemberName, useUserId } from '../use-inbox.ts'

/** Who closed the conversation, and when. `timeAt` gives the shown time; `now` in milliseconds. */
export function useDoneWords({ done_by }: ConversationState, timeAt: (now: number) => string): string {
  const name = useMemberName(done_by)
  const isMe = useUserId() === done_by
  const by = isMe ? t('list.you') : name === null ? null : safeName(name)
  return useTimedText(useCallback((now) => doneWords(by, timeAt(now)), [by, timeAt]))
}
