import { LoaderCircle, Plus, SendHorizontal, Zap } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import type { SummaryKind } from '../../domain/client/client-calls.ts'
import type { ConversationPage } from '../../domain/list/conversation-text.ts'
import { newKey } from '../../domain/new-key.ts'
import { type Draft, withExtras } from '../../domain/send/draft.ts'
import { withSummary } from '../../domain/send/draft-text.ts'
import { withPage } from '../../domain/send/reply-target.ts'
import { routeReason, routeWarning, type SendRoute } from '../../domain/send/send-route.ts'
import { isNearLimit, isSendable, textSize } from '../../domain/send/text-limit.ts'
import { withSlash } from '../../domain/send/with-slash.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import type { Summaries } from '../client/use-summaries.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { FilledText } from '../components/FilledText.tsx'
import { isComposing } from '../components/is-composing.ts'
import { messageBoxMark } from '../components/message-box.ts'
import { Select } from '../components/Select.tsx'
import { selectText } from '../components/select-text.ts'
import type { ComposerKeys } from './ReplyHelp.tsx'
import { replyListId, replyOptionId } from './reply-list-ids.ts'

/** On a phone the tools are shown on demand. */
export type ComposerTools = { shown: boolean; toggle: () => void }

type ComposerFiles = {
  /** Above the text. */
  list: ReactNode
  /** Beside the other tools. */
  buttons: ReactNode
  attach: (files: readonly File[]) => void
  count: number
  areReady: boolean
}

type ComposerProps = {
  draft: Draft
  onDraftChange: (draft: Draft) => void
  /** The person's name, in the form used within a sentence. */
  name: string
  /** The social pages that can send the message. The selector is shown if there are several. */
  pages: readonly ConversationPage[]
  /** The send route; null while it is not known or if there is only one. */
  route: SendRoute | null
  /** The platform of the recipient; null if not known. It determines the maximum length of a message. */
  platform: Platform | null
  /** Why the network will not accept a reply, and what staff can do. */
  notice: string | null
  /** Why the message cannot be sent, and what staff can do. */
  trouble: ReactNode
  /** A send of this conversation is in progress. */
  sending: boolean
  /** Something else holds the message back. `trouble` says what, unless it passes by itself. */
  isBlocked: boolean
  summaries: Summaries
  /** Returns whether the message was accepted. The text is cleared only then. */
  onSend: (draft: Draft) => boolean
  /** The message that the draft replies to. */
  replyTarget: ReactNode
  /** What helps to write the reply, above the text. */
  help: ReactNode
  /** Handles the keys that the help uses. */
  keys: RefObject<ComposerKeys | null>
  tools: ComposerTools
  /** Called before the button writes the `/` that opens the saved replies; null if there are none. */
  onSlash: (() => void) | null
  /** The attached files, and the buttons that attach some; null if the API takes no files. */
  files: ComposerFiles | null
  /** The buttons that send a product and a sticker, beside the other tools. */
  cards: ReactNode
  /** The saved reply that Enter inserts; null while the list is closed or nothing fits. */
  activeReply: string | null
}

const count = new Intl.NumberFormat()

/** The input for an answer (spec section 2): Enter sends, Shift+Enter inserts a line break. */
export function Composer({
  draft,
  onDraftChange: change,
  name,
  pages,
  route,
  platform,
  notice,
  trouble,
  sending,
  isBlocked,
  summaries,
  onSend,
  replyTarget,
  help,
  keys,
  tools,
  onSlash,
  files,
  cards,
  activeReply,
}: ComposerProps) {
  const id = useId()
  const { text, pageId } = draft
  const { size, limit } = textSize(text.trim(), platform ?? 'messenger')
  const tooLong = size > limit
  const isFilesOnly = text.trim() === '' && files !== null && files.count > 0
  const canSend = !sending && !isBlocked && (isFilesOnly || isSendable(text, platform)) && (files?.areReady ?? true)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!summaries.waiting) return
    const summary = summaries.take()
    if (summary === null) return
    change(withExtras({ ...draft, text: withSummary(text, summary.text, draft.extras?.summary?.text) }, { summary }))
    box.current?.focus()
  })
  const openReplies = (onOpen: () => void) => {
    onOpen()
    const field = box.current
    const next = withSlash(text, field?.selectionStart ?? text.length)
    change({ ...draft, text: next.text })
    selectText(field, [next.caret, next.caret])
  }
  const send = () => {
    if (canSend && onSend(draft)) change({ id: newKey(), text: '', pageId })
  }
  return (
    <form
      aria-label={t('send.reply')}
      className="grid shrink-0 grid-cols-1 gap-2 border-line border-t px-4 py-3 max-md:gap-1 max-md:p-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
        // The press disables Send, which would lose the focus.
        box.current?.focus()
      }}
    >
      {pages.length > 1 && (
        <div className="flex min-h-9 min-w-0 items-center gap-x-2 text-ink-2 text-xs md:flex-wrap">
          <label htmlFor={`${id}-page`} className="shrink-0 max-md:sr-only">
            {t('send.sendFrom')}
          </label>
          <Select
            id={`${id}-page`}
            className="field-sizing-content max-w-[min(24rem,60%)] max-md:max-w-2/5"
            title={pages.find((page) => page.id === pageId)?.name}
            value={pageId ?? ''}
            aria-describedby={`${id}-route`}
            onChange={(event) => change(withPage(draft, event.target.value || null))}
          >
            <option value="">{t('send.autoSelect')}</option>
            {pages.map((page) => (
              <option key={page.id} value={page.id}>
                {page.name}
              </option>
            ))}
          </Select>
          <p id={`${id}-route`} className="min-w-0 flex-1 typing:line-clamp-2">
            {route !== null && <Route route={route} name={name} pages={pages} />}
          </p>
        </div>
      )}
      {trouble}
      {notice !== null && <p className="rounded-ui bg-warn-soft px-3 py-2 text-warn text-xs">{notice}</p>}
      <div className="relative grid grid-cols-1">
        {help}
        {replyTarget}
        {files?.list}
        <div className="grid grid-cols-1 gap-1 rounded-ui border border-edge p-2 pl-3 max-md:flex max-md:flex-wrap max-md:items-end max-md:p-0.5 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent has-[textarea:focus-visible]:outline-offset-1">
          <span className="contents md:hidden">
            <IconButton label={t('send.tools')} aria-expanded={tools.shown} onClick={tools.toggle}>
              <Plus size={18} aria-hidden="true" />
            </IconButton>
          </span>
          <textarea
            ref={box}
            {...messageBoxMark}
            aria-label={t('send.message')}
            aria-keyshortcuts="r"
            aria-describedby={`${id}-size${pages.length > 1 ? ` ${id}-route` : ''}`}
            aria-invalid={tooLong || undefined}
            {...(onSlash !== null && { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' })}
            aria-controls={activeReply === null ? undefined : replyListId}
            aria-activedescendant={activeReply === null ? undefined : replyOptionId(activeReply)}
            dir="auto"
            rows={2}
            placeholder={t('send.hint')}
            value={text}
            className="field-sizing-content max-h-48 min-h-12 w-full min-w-0 resize-none bg-transparent py-1 outline-none max-md:max-h-40 max-md:min-h-11 max-md:flex-1 max-md:basis-0 max-md:py-2.5"
            onChange={(event) => change({ ...draft, text: event.target.value })}
            onPaste={(event) => {
              const pasted = [...event.clipboardData.files]
              // Office programs offer a picture of a copied text beside the text.
              if (files === null || pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return
              event.preventDefault()
              files.attach(pasted)
            }}
            onKeyDown={(event) => {
              if (isComposing(event.nativeEvent)) return
              const isUsed = keys.current?.(event) ?? false
              if (!isUsed && (event.key !== 'Enter' || event.shiftKey)) return
              event.preventDefault()
              if (isUsed) event.stopPropagation()
              else send()
            }}
          />
          <div className="-ml-1 flex items-center gap-2 max-md:contents">
            <div
              className={classNames(
                'flex min-w-0 flex-wrap items-center gap-2 max-md:order-1 max-md:basis-full max-md:p-1',
                !tools.shown && 'max-md:hidden',
              )}
            >
              <SummaryButton kind="orders" sending={sending} summaries={summaries}>
                {t('shared.orders')}
              </SummaryButton>
              <SummaryButton kind="payments" sending={sending} summaries={summaries}>
                {t('shared.payments')}
              </SummaryButton>
              {files?.buttons}
              {cards}
              {onSlash !== null && (
                <IconButton label={t('send.savedReplies')} onClick={() => openReplies(onSlash)}>
                  <Zap size={15} aria-hidden="true" />
                </IconButton>
              )}
            </div>
            <span
              id={`${id}-size`}
              role={tooLong ? 'status' : undefined}
              className={classNames(
                'flex-1 truncate text-right text-xs max-md:flex-none max-md:self-center',
                tooLong ? 'font-medium text-bad' : 'text-ink-3',
              )}
            >
              {isNearLimit({ size, limit }) && (
                <>
                  {tooLong && <span className="max-sm:sr-only">{t('send.tooLong')} </span>}
                  {count.format(size)} / {count.format(limit)}
                  {platform === 'instagram' && <span className="max-sm:sr-only"> {t('send.bytes')}</span>}
                </>
              )}
            </span>
            <Button type="submit" variant="primary" disabled={!canSend}>
              <span className="max-sm:sr-only">{sending ? t('shared.sending') : t('send.send')}</span>
              <SendHorizontal size={15} aria-hidden="true" />
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

type RouteProps = { route: SendRoute; name: string; pages: readonly ConversationPage[] }

/** The social page and the identity that the message will use, and why. */
function Route({ route, name, pages }: RouteProps) {
  const reason = routeReason(route, name)
  const warning = routeWarning(route, name)
  const platform =
    route.platform === null ? null : t(route.platform === 'instagram' ? 'shared.instagram' : 'shared.messenger')
  const page = pages.find(({ id }) => id === route.pageId)?.name ?? route.pageId
  return (
    <>
      {route.reason === 'chosen' ? (
        platform !== null && t('send.routeTo', { name, platform })
      ) : (
        <>
          <span aria-hidden="true">→ </span>
          <FilledText parts={{ page: <b className="font-semibold text-ink">{page}</b> }}>
            {(marks) =>
              platform === null
                ? t('send.routeBy', { ...marks, reason })
                : t('send.routeByOn', { ...marks, platform, reason })
            }
          </FilledText>
        </>
      )}
      {warning !== null && <span className="block text-warn">{warning}</span>}
    </>
  )
}

type SummaryButtonProps = { kind: SummaryKind; sending: boolean; summaries: Summaries; children: string }

/** Inserts a summary into the input, where staff can edit it before sending. */
function SummaryButton({ kind, sending, summaries, children }: SummaryButtonProps) {
  const isFetching = summaries.fetching === kind
  return (
    <Button
      disabled={!summaries.available || sending}
      aria-busy={isFetching}
      title={
        summaries.available
          ? t(kind === 'orders' ? 'send.insertOrders' : 'send.insertPayments')
          : t('send.noLinkedClient')
      }
      onClick={() => summaries.request(kind)}
    >
      {children}
      {isFetching && <LoaderCircle size={14} aria-hidden="true" className="animate-spin" />}
    </Button>
  )
}
