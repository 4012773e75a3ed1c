import { useMemo } from 'react'
import type { DraftChoice } from '../../domain/send/saved-drafts.ts'
import { selectDraftText } from '../../machines/send/drafts.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { messageBox } from '../components/message-box.ts'
import { useDraftsActor } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'

/** Offers the text of another device if it differs from the one in the composer. */
export default function OtherDraft({
  conversationId,
  name,
  text,
}: {
  conversationId: string
  name: string
  text: string
}) {
  const drafts = useDraftsActor()
  const isBlank =
    useSelector(
      drafts,
      useMemo(() => selectDraftText(conversationId), [conversationId]),
    ) === null
  const choose = (choice: DraftChoice) => {
    drafts.send({ type: 'difference.settled', conversationId, choice })
    // The pressed button disappears.
    messageBox()?.focus()
  }
  return (
    <section
      role="status"
      className="grid shrink-0 gap-2 border-line border-t bg-warn-soft px-4 py-2 text-warn text-xs"
    >
      <p>{t('send.otherDraft', { name })}</p>
      <blockquote dir="auto" className="max-h-24 overflow-auto whitespace-pre-wrap break-words text-ink text-sm">
        {text}
      </blockquote>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => choose('other')}>{t('send.otherDraftUse')}</Button>
        {!isBlank && <Button onClick={() => choose('both')}>{t('send.otherDraftBoth')}</Button>}
        <Button onClick={() => choose('this')}>{t(isBlank ? 'send.otherDraftDelete' : 'send.otherDraftKeep')}</Button>
      </div>
    </section>
  )
}
