import { ownReaction, shownReactions } from '../../domain/thread/reactions.ts'
import { selectWish } from '../../machines/send/reactions.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/** The page's reaction as this person wants it: what is being sent counts before what the server told. */
export function useOwnReaction({ message_id, reactions }: Message): { emoji: string | null; isSending: boolean } {
  const wish = useSelector(usePart('reactions'), (snapshot) => snapshot && selectWish(message_id)(snapshot))
  return { emoji: wish === undefined ? ownReaction(reactions) : wish.emoji, isSending: wish !== undefined }
}

/** The reactions to a message, below it. `name`: the person. */
export function Reactions({ message, name }: { message: Message; name: string }) {
  const { emoji: own, isSending } = useOwnReaction(message)
  const others = shownReactions(message.reactions).filter(({ by }) => by === 'person')
  const shown = [
    ...others.map(({ emoji }) => ({ emoji, by: name, isOurs: false })),
    ...(own === null ? [] : [{ emoji: own, by: t('thread.you'), isOurs: true }]),
  ]
  if (shown.length === 0) return null
  return (
    <ul aria-label={t('thread.reactions')} className="-mt-1.5 mx-2 flex gap-1">
      {shown.map(({ emoji, by, isOurs }) => (
        <li
          key={isOurs ? 'ours' : 'person'}
          aria-busy={isOurs && isSending}
          title={t('thread.reactedWith', { name: by, emoji })}
          className="rounded-full border border-line bg-panel px-1.5 text-xs leading-5 aria-busy:opacity-60"
        >
          <span aria-hidden="true">{emoji}</span>
          <span className="sr-only">{t('thread.reactedWith', { name: by, emoji })}</span>
        </li>
      ))}
    </ul>
  )
}
