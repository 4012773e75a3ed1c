import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { filled, type VariableValues, valuesFor } from '../../domain/client/reply-variables.ts'
import { replyOf } from '../../domain/faq/faq-reply.ts'
import { knownNameOf } from '../../domain/list/conversation-text.ts'
import { type Draft, withExtras } from '../../domain/send/draft.ts'
import { withSummary } from '../../domain/send/draft-text.ts'
import { questionOf } from '../../domain/send/faq-suggestions.ts'
import { picturesOf, withInsertion } from '../../domain/send/saved-replies.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import { selectClientData } from '../../machines/client/client-details.ts'
import { selectSuggestions } from '../../machines/faq/faq-suggestions.ts'
import {
  type savedRepliesMachine,
  selectActive,
  selectHasFailed,
  selectHasReplies,
  selectIsByButton,
  selectIsLoading,
  selectIsOpen,
  selectOptions,
  selectToken,
} from '../../machines/send/saved-replies.ts'
import { selectClientOrders, selectMessages, type threadMachine } from '../../machines/thread/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { useBusiness } from '../client/use-business.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { messageBox } from '../components/message-box.ts'
import { selectText } from '../components/select-text.ts'
import { useClient, useDialog, useMay, useUser } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { FilledReply } from './FilledReply.tsx'
import { ReplyPictures } from './ReplyPictures.tsx'
import { replyListId, replyOptionId } from './reply-list-ids.ts'

/** Handles a key of the text field. Returns whether the key was used. */
export type ComposerKeys = (event: KeyboardEvent<HTMLTextAreaElement>) => boolean

type ReplyHelpProps = {
  thread: ActorRefFrom<typeof threadMachine>
  conversation: Conversation
  /** The row id. */
  id: string
  /** The reply window is closed, also while the page that would send is not known: no answer is offered. */
  isClosed: boolean
  draft: Draft
  onDraftChange: (draft: Draft) => void
  /** The pages that the message may be sent from. */
  pageIds: readonly string[]
  /** The name of the page that the message is sent from; null if it is not known yet. */
  pageName: string | null
  /** Gets the function that handles the keys of the text field. */
  keys: RefObject<ComposerKeys | null>
  /** Attaches the pictures of a saved reply; null if pictures cannot be sent. */
  onPictures: ((reply: SavedReply) => void) | null
}

type RepliesRef = ActorRefFrom<typeof savedRepliesMachine>

const noEntries: readonly FaqEntry[] = []
const box = () => messageBox() as HTMLTextAreaElement | null

/** Above the text of a reply: the list of saved replies that `/` opens, and answers from the FAQ. */
export default function ReplyHelp(props: ReplyHelpProps) {
  const { thread, conversation, id, isClosed, draft, onDraftChange, pageIds, pageName, keys, onPictures } = props
  const replies = usePart('savedReplies')
  const faq = usePart('faqSuggestions')
  const suggestions = useSelector(faq, (snapshot) => (snapshot ? selectSuggestions(snapshot) : noEntries))
  const client = useClient(conversation.client_id ?? null)
  const details = useSelector(thread, selectClientOrders)
  const orders = useSelector(details, (snapshot) => snapshot && selectClientData(snapshot)?.orders) ?? null
  const business = useBusiness()
  const values = useMemo(
    () => valuesFor({ conversation, client, orders, pageName, business }),
    [conversation, client, orders, pageName, business],
  )
  const messages = useSelector(thread, selectMessages)
  const isTolerant = offers(useUser(), 'faq-matching')
  useEffect(() => {
    const question = isClosed ? null : questionOf(conversation, messages, isTolerant)
    faq?.send({ type: 'question.changed', question })
  }, [faq, conversation, isClosed, messages, isTolerant])
  useTyped(replies, draft.text, pageIds)
  useEffect(() => {
    if (draft.text.trim() === '') replies?.send({ type: 'draft.emptied', conversationId: id })
  }, [replies, draft.text, id])

  const insertReply = (reply: SavedReply) => {
    const token = replies && selectToken(replies.getSnapshot())
    if (!token || (reply.text === '' && onPictures === null)) return
    const range = { start: token.start, end: token.start + 1 + token.query.length }
    const { text, selection } = withInsertion(draft.text, range, filled(reply.text, values))
    onDraftChange(withExtras({ ...draft, text }, reply.structure ? { structure: reply.structure } : {}))
    replies.send({ type: 'reply.inserted', conversationId: id, draftId: draft.id, id: reply.id })
    if (picturesOf(reply).length > 0) onPictures?.(reply)
    selectText(box(), selection)
  }
  const insertAnswer = (entry: FaqEntry) => {
    const name = conversation.first_name ?? knownNameOf(conversation)
    const text = withSummary(draft.text, replyOf(entry.response, name))
    onDraftChange({ ...draft, text })
    faq?.send({ type: 'suggestions.settled' })
    selectText(box(), [text.length, text.length])
  }
  const dismissPicker = () => {
    const snapshot = replies?.getSnapshot()
    const token = snapshot && selectToken(snapshot)
    // The button wrote the `/`, so it is no part of the message.
    if (snapshot && token && token.query === '' && selectIsByButton(snapshot)) {
      const { text, selection } = withInsertion(draft.text, { start: token.start, end: token.start + 1 }, '')
      onDraftChange({ ...draft, text })
      selectText(box(), selection)
    }
    replies?.send({ type: 'picker.dismissed' })
  }
  useEffect(() => {
    keys.current = (event) => {
      const chosen = event.altKey && /^Digit[123]$/.test(event.code) ? suggestions[Number(event.code.at(-1)) - 1] : null
      if (chosen) {
        insertAnswer(chosen)
        return true
      }
      const snapshot = replies?.getSnapshot()
      if (!replies || !snapshot || !selectIsOpen(snapshot) || event.altKey || event.ctrlKey || event.metaKey)
        return false
      const active = selectActive(snapshot)
      if (event.key === 'Escape') dismissPicker()
      else if (event.key === 'ArrowDown' && active) replies.send({ type: 'option.moved', by: 1 })
      else if (event.key === 'ArrowUp' && active) replies.send({ type: 'option.moved', by: -1 })
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && active) insertReply(active)
      // What is typed after the `/` is no message while it is not known what fits.
      else return event.key === 'Enter' && selectIsLoading(snapshot)
      return true
    }
    return () => {
      keys.current = null
    }
  })
  const isOpen = useSelector(replies, (snapshot) => snapshot !== undefined && selectIsOpen(snapshot))
  return (
    <>
      {/* Always rendered, so that screen readers hear when answers are offered. */}
      <p role="status" className="sr-only">
        {suggestions.length > 0 && t('send.suggestionsFound', { count: suggestions.length })}
      </p>
      {suggestions.length > 0 && !isOpen && (
        <Suggestions
          entries={suggestions}
          onInsert={insertAnswer}
          onDismiss={() => {
            faq?.send({ type: 'suggestions.settled' })
            box()?.focus()
          }}
        />
      )}
      {replies && isOpen && (
        <Picker
          replies={replies}
          values={values}
          sendsPictures={onPictures !== null}
          onInsert={insertReply}
          onClose={dismissPicker}
        />
      )}
    </>
  )
}

/** Reports the text and the caret of the text field, while it has the focus. */
function useTyped(replies: RepliesRef | undefined, text: string, pageIds: readonly string[]): void {
  const pages = pageIds.join()
  useEffect(() => {
    if (!replies) return
    const report = (isLeft = false) => {
      const field = box()
      const hasFocus = field !== null && document.activeElement === field && !isLeft
      replies.send({
        type: 'composer.changed',
        text: hasFocus ? field.value : text,
        caret: hasFocus ? field.selectionStart : null,
        pageIds: pages === '' ? [] : pages.split(','),
      })
    }
    const onChange = () => report()
    const onLeave = () => report(true)
    const field = box()
    report()
    document.addEventListener('selectionchange', onChange)
    field?.addEventListener('focus', onChange)
    field?.addEventListener('blur', onLeave)
    return () => {
      document.removeEventListener('selectionchange', onChange)
      field?.removeEventListener('focus', onChange)
      field?.removeEventListener('blur', onLeave)
    }
  }, [replies, text, pages])
  useEffect(() => () => replies?.send({ type: 'composer.changed', text: '', caret: null, pageIds: [] }), [replies])
}

const preventDefault = (event: Event) => event.preventDefault()

type SuggestionsProps = {
  entries: readonly FaqEntry[]
  onInsert: (entry: FaqEntry) => void
  onDismiss: () => void
}

function Suggestions({ entries, onInsert, onDismiss }: SuggestionsProps) {
  return (
    <section aria-label={t('send.suggestions')} className="mb-2 flex items-start gap-2 max-md:mb-1 max-md:gap-0">
      {/* On a phone one line, which scrolls. The padding is for the outlines of the focus. */}
      <ul className="flex min-w-0 flex-1 gap-1.5 max-md:-m-1 max-md:overflow-x-auto max-md:p-1 md:flex-wrap">
        {entries.map((entry, index) => {
          const title = safeName(entry.title)
          return (
            <li key={entry.id} className="min-w-0 max-w-full max-md:max-w-4/5 max-md:shrink-0">
              <Button
                className="h-7 w-full"
                title={safeText(entry.response)}
                aria-keyshortcuts={`Alt+${index + 1}`}
                onClick={() => onInsert(entry)}
              >
                <bdi className="min-w-0 truncate">{title}</bdi>
                <span aria-hidden="true" className="font-normal font-sans text-2xs text-ink-3 max-md:hidden">
                  {t('send.suggestionKey', { number: index + 1 })}
                </span>
              </Button>
            </li>
          )
        })}
      </ul>
      <IconButton label={t('send.suggestionsDismiss')} className="h-7" onClick={onDismiss}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </section>
  )
}

type PickerProps = {
  replies: RepliesRef
  values: VariableValues
  sendsPictures: boolean
  onInsert: (reply: SavedReply) => void
  onClose: () => void
}

/** The list of saved replies over the thread. The focus stays in the text field, which names the active option. */
function Picker({ replies, values, sendsPictures, onInsert, onClose }: PickerProps) {
  const options = useSelector(replies, selectOptions)
  const active = useSelector(replies, selectActive)
  const loading = useSelector(replies, selectIsLoading)
  const failed = useSelector(replies, selectHasFailed)
  const hasReplies = useSelector(replies, selectHasReplies)
  const query = useSelector(replies, (snapshot) => selectToken(snapshot)?.query ?? '')
  const dialog = useDialog()
  const mayManage = useMay('faq.manage')
  const popup = useRef<HTMLDivElement>(null)
  const activeId = active?.id
  const isHidden = options.length === 0 && query !== '' && hasReplies
  // A press in the list leaves the focus in the text field; without the focus the list closes.
  useEffect(() => {
    if (!isHidden) popup.current?.addEventListener('mousedown', preventDefault)
  }, [isHidden])
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(replyOptionId(activeId))?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  // A `/` that belongs to the message fits nothing.
  if (isHidden) return null
  return (
    <div
      ref={popup}
      className="absolute inset-x-0 bottom-full z-20 mb-1 flex max-h-[min(20rem,45dvh)] flex-col overflow-hidden rounded-ui border border-line bg-panel text-ink shadow-float"
    >
      {options.length > 0 ? (
        <div id={replyListId} role="listbox" aria-label={t('send.replies')} className="scroller min-h-0 p-1">
          {options.map((reply) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
            <div
              key={reply.id}
              id={replyOptionId(reply.id)}
              role="option"
              tabIndex={-1}
              aria-selected={reply.id === activeId}
              aria-disabled={reply.text === '' && !sendsPictures ? true : undefined}
              className={classNames(
                'cursor-pointer rounded-ui px-2 py-1.5 touch:min-h-11',
                reply.id === activeId ? 'bg-accent-soft' : 'hover:bg-sunken',
              )}
              onClick={() => onInsert(reply)}
            >
              <b className="font-semibold">
                /<bdi>{safeName(reply.name)}</bdi>
              </b>
              {reply.text !== '' && (
                <p dir="auto" className="line-clamp-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
                  <FilledReply text={reply.text} values={values} />
                </p>
              )}
              <ReplyPictures reply={reply} areSent={sendsPictures} />
            </div>
          ))}
        </div>
      ) : (
        <Empty>
          {loading ? (
            t('send.repliesLoading')
          ) : failed ? (
            <>
              {t('send.repliesNotLoaded')}
              <Button
                onClick={() => {
                  replies.send({ type: 'refetch.requested' })
                  // The button disappears.
                  box()?.focus()
                }}
              >
                {t('shared.tryAgain')}
              </Button>
            </>
          ) : (
            t(hasReplies ? 'send.repliesNoneHere' : 'send.repliesNone')
          )}
        </Empty>
      )}
      <p role="status" className="sr-only">
        {options.length > 0 && t('send.repliesFound', { count: options.length })}
      </p>
      {mayManage && (
        <Button
          variant="ghost"
          className="m-1 shrink-0 justify-start border-line border-t"
          onClick={() => {
            onClose()
            dialog.send({ type: 'dialog.requested', dialog: { name: 'savedReplyManager' } })
          }}
        >
          {t('send.repliesManage')}
        </Button>
      )}
    </div>
  )
}

function Empty({ children }: { children: ReactNode }) {
  return <div className="grid justify-items-start gap-2 px-3 py-3 text-ink-2">{children}</div>
}
