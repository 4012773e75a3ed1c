import { Reply, SmilePlus } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { isQuotable } from '../../domain/send/reply-target.ts'
import { offers } from '../../domain/session/features.ts'
import { mayTry } from '../../domain/session/permissions.ts'
import { reactionsFor } from '../../domain/thread/reactions.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { useUser } from '../use-inbox.ts'
import { useOpenThread } from '../use-list.ts'
import { usePart } from '../use-part.ts'
import { useOwnReaction } from './Reactions.tsx'
import { useReplyTo } from './use-reply-to.ts'

/**
 * The button that offers to reply to this message or to react to it, and what it offers. The button stands beside the
 * content of the bubble, where `place` puts it; the choices stand below the bubble. Null if nothing is offered.
 */
export function useBubbleActions(
  message: Message,
  place: string | undefined,
): { button: ReactNode; choices: ReactNode } | null {
  const user = useUser()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  const maySend = mayTry(user, 'messages.send') && isQuotable(message)
  const mayReply = maySend && offers(user, 'replies')
  const mayReact = maySend && offers(user, 'reactions')
  if (!mayReply && !mayReact) return null
  return {
    button: (
      <IconButton
        ref={toggle}
        label={t('thread.replyOrReact')}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={classNames(
          'opacity-0 focus-visible:opacity-100 group-hover/bubble:opacity-100 aria-expanded:opacity-100 touch:opacity-60',
          place,
        )}
        onClick={() => setOpen(!isOpen)}
      >
        <SmilePlus size={15} aria-hidden="true" />
      </IconButton>
    ),
    choices: isOpen && (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
      <div
        id={id}
        data-not-saved
        role="group"
        aria-label={t('thread.replyOrReact')}
        className="flex max-w-full flex-wrap items-center gap-0.5 rounded-ui border border-line bg-panel p-0.5 shadow-float"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Escape in the thread would leave it.
          event.stopPropagation()
          close()
        }}
      >
        <Choices message={message} mayReply={mayReply} mayReact={mayReact} onDone={close} />
      </div>
    ),
  }
}

type ChoicesProps = { message: Message; mayReply: boolean; mayReact: boolean; onDone: () => void }

function Choices({ message, mayReply, mayReact, onDone }: ChoicesProps) {
  const { conversation } = useOpenThread()
  const reactions = usePart('reactions')
  const { emoji: own } = useOwnReaction(message)
  const replyTo = useReplyTo()
  const offered =
    mayReact && reactions !== undefined
      ? reactionsFor(conversation, { fbUserId: message.fb_user_id, own, now: Date.now() })
      : []
  return (
    <>
      {mayReply && (
        <IconButton
          label={t('thread.replyToThis')}
          autoFocus
          onClick={() => {
            onDone()
            replyTo(message)
          }}
        >
          <Reply size={16} aria-hidden="true" />
        </IconButton>
      )}
      {offered.map((emoji) => (
        <IconButton
          key={emoji}
          label={t(emoji === own ? 'thread.takeBack' : 'thread.reactWith', { emoji })}
          aria-pressed={emoji === own}
          variant={emoji === own ? 'on' : 'ghost'}
          onClick={() => {
            onDone()
            reactions?.send({
              type: 'reaction.chosen',
              messageId: message.message_id,
              emoji: emoji === own ? null : emoji,
            })
          }}
        >
          <span aria-hidden="true" className="text-base">
            {emoji}
          </span>
        </IconButton>
      ))}
    </>
  )
}
