import { Bot } from 'lucide-react'
import { type ComponentProps, memo, type ReactNode, useMemo } from 'react'
import { isAutomatic } from '../../domain/faq/automatic.ts'
import { momentOf } from '../../domain/message-order.ts'
import { dateAndTime, timeOfDay } from '../../domain/moments.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { ShownReceipt } from '../../domain/thread/receipts.ts'
import { followingParts, isComposite, leadingParts, shownContentOf } from '../../domain/thread/shown-content.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { FilledText } from '../components/FilledText.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { Attachments } from './Attachments.tsx'
import { MessageText } from './MessageText.tsx'
import { QuotedMessage } from './QuotedMessage.tsx'
import { Reactions } from './Reactions.tsx'
import { Receipt } from './Receipt.tsx'
import { useBubbleActions } from './use-bubble-actions.tsx'

const MessageParts = onDemand(() => import('./MessageParts.tsx'))
const PictureActions = onDemand(() => import('./PictureActions.tsx'))
const WrongAnswer = onDemand(() => import('./WrongAnswer.tsx'))

type BubbleProps = {
  message: Message
  /** The name of the person, for screen readers. */
  author: string
  /** Who wrote an outgoing message; null if not known. */
  by: string | null
  /** The name of the social page if the conversation spans several; else null. */
  via: string | null
  /** The last message of a group shows the time. */
  endsGroup: boolean
  /** That the message was delivered or seen; undefined if it shows none. */
  receipt?: ShownReceipt | undefined
}

/** A stored message. Messages of staff are on the right, messages of the person on the left. */
export const Bubble = memo(function Bubble({ message, author, by, via, endsGroup, receipt }: BubbleProps) {
  const outgoing = message.direction === 'outgoing'
  const { text, parts, attachments, editedAt } = useMemo(() => shownContentOf(message), [message])
  const pictures = attachments.filter(({ image_data }) => image_data).length
  const files = message.attachments?.data ?? []
  const moment = momentOf(message)
  const automatic = isAutomatic(message)
  const leading = leadingParts(parts)
  const following = followingParts(parts)
  /** The content that the button stands beside. */
  const beside =
    text !== '' ? 'text' : attachments.length > 0 ? 'attachments' : following.length > 0 ? 'following' : 'leading'
  const hasPictures = !outgoing && pictures > 0
  const actions = useBubbleActions(
    message,
    // Beside pictures of the person there is a column with further buttons.
    beside === 'attachments' && hasPictures
      ? undefined
      : classNames('absolute bottom-0.5 touch:-bottom-1', outgoing ? 'right-full mr-1' : 'left-full ml-1'),
  )
  const buttonBeside = (content: typeof beside) => content === beside && actions?.button
  const ours = by ?? (automatic ? t('thread.automaticAnswer') : t('thread.you'))
  return (
    <article
      aria-label={`${outgoing ? ours : author}, ${timeOfDay(moment)}`}
      className={classNames(
        'group/bubble relative flex flex-col gap-1',
        outgoing ? 'items-end' : 'items-start',
        isComposite(message) && 'pt-1.5',
        endsGroup || isComposite(message) ? 'pb-2' : 'pb-0.5',
        // The place of the robot.
        automatic && 'pr-8',
      )}
      title={endsGroup ? undefined : dateAndTime(moment)}
    >
      {message.reply_to != null && <QuotedMessage quoted={message.reply_to} name={author} />}
      <Parts parts={leading} files={files} outgoing={outgoing} button={buttonBeside('leading')} />
      {text !== '' && (
        <div
          className={classNames(
            'relative max-w-[min(62%,40rem)] rounded-ui px-3 py-2 max-md:max-w-[82%]',
            // An outline, because a border would change the height.
            automatic
              ? 'outline-1 outline-edge outline-dashed -outline-offset-1'
              : outgoing
                ? 'bg-outgoing'
                : 'bg-incoming',
          )}
        >
          <MessageText text={text} />
          {buttonBeside('text')}
        </div>
      )}
      {attachments.length > 0 && (
        <div
          className={classNames(
            'relative',
            attachments.length > 1 && pictures === attachments.length
              ? 'picture-grid'
              : classNames('flex max-w-[82%] flex-col gap-1', outgoing ? 'items-end' : 'items-start'),
          )}
        >
          <Attachments attachments={attachments} />
          {hasPictures ? (
            <div className="absolute top-0 left-full ml-1 flex flex-col gap-1">
              <PictureActions message={message} />
              {buttonBeside('attachments')}
            </div>
          ) : (
            buttonBeside('attachments')
          )}
        </div>
      )}
      <Parts parts={following} files={files} outgoing={outgoing} button={buttonBeside('following')} />
      {text === '' && attachments.length === 0 && parts.length === 0 && (
        <p className="relative rounded-ui border border-line px-3 py-2 text-ink-2 italic">
          {t('thread.notShown')}
          {buttonBeside('leading')}
        </p>
      )}
      <Reactions message={message} name={author} />
      {(endsGroup || editedAt !== null || receipt !== undefined) && (
        <Footer
          message={message}
          by={endsGroup ? by : null}
          via={endsGroup ? via : null}
          editedAt={editedAt}
          receipt={receipt}
        />
      )}
      {actions?.choices}
    </article>
  )
})

type PartsProps = ComponentProps<typeof MessageParts> & { outgoing: boolean; button: ReactNode }

function Parts({ outgoing, button, ...rest }: PartsProps) {
  if (rest.parts.length === 0) return null
  return (
    <div className={classNames('relative flex max-w-[82%] flex-col gap-1', outgoing ? 'items-end' : 'items-start')}>
      <MessageParts {...rest} />
      {button}
    </div>
  )
}

/** Who wrote the message and when, its social page, when it was edited, and the mark that it was sent. */
function Footer({
  message,
  by,
  via,
  editedAt,
  receipt,
}: Pick<BubbleProps, 'message' | 'by' | 'via' | 'receipt'> & { editedAt: string | null }) {
  const moment = momentOf(message)
  const automatic = isAutomatic(message)
  return (
    <p className="relative flex max-w-full items-center whitespace-pre px-1.5 text-2xs text-ink-3">
      {automatic && (
        <span className="absolute -right-8 bottom-full mb-1 grid size-6 place-items-center rounded-tag border border-line bg-sunken text-ink-2">
          <Bot size={14} aria-hidden="true" />
        </span>
      )}
      {by !== null && (
        <span className="flex min-w-0 items-center">
          <bdi className="min-w-0 overflow-hidden text-ellipsis font-medium text-ink-2" title={by}>
            {by}
          </bdi>
          {' · '}
        </span>
      )}
      <time dateTime={moment} title={dateAndTime(moment)}>
        {timeOfDay(moment)}
      </time>
      {editedAt !== null && (
        <span title={t('thread.editedAt', { moment: dateAndTime(editedAt) })}>
          {' · '}
          {t('thread.edited', { time: timeOfDay(editedAt) })}
        </span>
      )}
      {via !== null && (
        <span className="min-w-8 overflow-hidden text-ellipsis">
          {' · '}
          <FilledText parts={{ page: <bdi title={safeName(via)}>{safeName(via)}</bdi> }}>
            {(marks) => t('thread.via', marks)}
          </FilledText>
        </span>
      )}
      {automatic && by === null && (
        <span>
          {' · '}
          {t('thread.automatic')}
        </span>
      )}
      {automatic && <WrongAnswer message={message} />}
      {message.direction === 'outgoing' && <Receipt receipt={receipt} />}
    </p>
  )
}
