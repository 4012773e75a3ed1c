import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { shortNameOf } from '../../domain/list/conversation-text.ts'
import { newKey } from '../../domain/new-key.ts'
import { areReady } from '../../domain/send/attached-files.ts'
import { type Draft, withExtras, withKnownPage } from '../../domain/send/draft.ts'
import { placeholdersIn } from '../../domain/send/placeholders.ts'
import { fitsStructure } from '../../domain/send/reply-structure.ts'
import { withoutReplyTo } from '../../domain/send/reply-target.ts'
import { isClosedFor, windowOn } from '../../domain/send/reply-window.ts'
import { pageInUse } from '../../domain/send/send-route.ts'
import { offers } from '../../domain/session/features.ts'
import { isAccepted, selectIsSending } from '../../machines/send/outbox-selectors.ts'
import { selectFilesOf } from '../../machines/send/select-files.ts'
import type { threadMachine } from '../../machines/thread/thread.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { useSummaries, useSummaryCheck } from '../client/use-summaries.ts'
import { Button } from '../components/Button.tsx'
import { FilledText } from '../components/FilledText.tsx'
import { onDemand } from '../components/on-demand.tsx'
import { useActiveReply, useCollision } from '../use-colleagues.ts'
import { useDialog, useMay, useOutbox, useUser } from '../use-inbox.ts'
import { useAuthorsOffer } from '../use-list.ts'
import { useConversationPages, usePageTrouble } from '../use-pages.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { Composer, type ComposerTools } from './Composer.tsx'
import type { ComposerKeys } from './ReplyHelp.tsx'
import { ReplyTarget } from './ReplyTarget.tsx'
import { useReplyWindow } from './ReplyWindow.tsx'
import { useDraft, useOtherDraft } from './use-draft.ts'
import { useSendRoute } from './use-send-route.ts'

const AttachedFiles = onDemand(() => import('./AttachedFiles.tsx'))
const AttachButtons = onDemand(() => import('./AttachButtons.tsx'))
const CardButton = onDemand(() => import('./CardButton.tsx'))
const HeartButton = onDemand(() => import('./HeartButton.tsx'))
const BeyondWindow = onDemand(() => import('./BeyondWindow.tsx'))
const OtherDraft = onDemand(() => import('./OtherDraft.tsx'))
const ReplyNotices = onDemand(() => import('./ReplyNotices.tsx'))
const ReplyHelp = onDemand(() => import('./ReplyHelp.tsx'))
const MissingValues = onDemand(() => import('./MissingValues.tsx'))
const SentChoices = onDemand(() => import('./SentChoices.tsx'))
const SummaryNotice = onDemand(() => import('./SummaryNotice.tsx'))

type ThreadComposerProps = {
  thread: ActorRefFrom<typeof threadMachine>
  conversation: Conversation
  id: string
  tools: ComposerTools
}

/** The composer of the open thread, with its draft and the reasons why a message cannot be sent. */
export function ThreadComposer({ thread, conversation, id, tools }: ThreadComposerProps) {
  const outbox = useOutbox()
  const pages = useConversationPages(conversation)
  const summaries = useSummaries(thread)
  const [kept, changeDraft] = useDraft(id)
  const other = useOtherDraft(id)
  const draft = useMemo(() => withKnownPage(kept, pages), [kept, pages])
  const pageIds = pages.map((page) => page.id)
  const route = useSendRoute(thread, pageIds, draft.pageId)
  const platform = route?.platform ?? conversation.platform ?? null
  const name = shortNameOf(conversation)
  const { state } = useReplyWindow(conversation)
  const sending = useSelector(
    outbox,
    useMemo(() => selectIsSending(id), [id]),
  )
  const showsColleagues = useAuthorsOffer()
  const { typed, holdsBack } = useCollision()
  useEffect(() => typed(draft.text), [typed, draft.text])
  const savedReplies = usePart('savedReplies')
  const user = useUser()
  const offersReplies = offers(user, 'saved-replies')
  const attachedFiles = usePart('attachedFiles')
  const attached = useSelector(
    attachedFiles,
    useMemo(() => selectFilesOf(id), [id]),
  )
  const structure = draft.extras?.structure ?? null
  const fits = fitsStructure(draft.text, structure)
  const attach = (chosen: readonly File[]) =>
    attachedFiles?.send({ type: 'files.chosen', conversationId: id, platform, files: chosen })
  const attachPictures = ({ id: replyId, pictures }: SavedReply) =>
    attachedFiles?.send({ type: 'pictures.inserted', conversationId: id, platform, replyId, pictures: pictures ?? [] })
  const keys = useRef<ComposerKeys>(null)
  const activeReply = useActiveReply()
  const check = useSummaryCheck(draft)
  const send = (sent: Draft): boolean => !holdsBack() && sendChecked(sent)
  const sendChecked = (sent: Draft): boolean => !check.holdsBack(sent) && sendNow(sent)
  const sendNow = (sent: Draft): boolean => {
    const { id: draftId, pageId, text, replyTo } = sent
    if (!areReady(attached, platform) || !fits) return false
    const uploads = attached.flatMap(({ uploaded }) => uploaded ?? [])
    outbox.send({
      type: 'send.requested',
      draftId,
      conversationId: id,
      pageId,
      platform,
      text,
      files: uploads,
      structured: structure,
      replyTo: replyTo?.message,
    })
    const accepted = isAccepted(outbox.getSnapshot(), sent.id)
    if (accepted && uploads.length > 0) {
      attachedFiles?.send({ type: 'files.taken', ids: attached.map((file) => file.id) })
    }
    if (accepted) {
      const pictures = attached.flatMap(({ id: fileId, copyOf }) =>
        copyOf ? [{ fileId, replyId: copyOf.replyId }] : [],
      )
      savedReplies?.send({ type: 'draft.accepted', conversationId: id, draftId, text, pictures })
    }
    return accepted
  }
  const sendDraft = (sendIt: (sent: Draft) => boolean) => {
    if (sendIt(draft)) changeDraft({ id: newKey(), text: '', pageId: draft.pageId })
  }
  useEffect(() => {
    if (check.isUnchanged && check.release()) sendDraft((sent) => !holdsBack() && sendNow(sent))
  })
  const usedId = pageInUse(route, pageIds)
  const trouble = usePageTrouble(usedId)
  const used = pages.find((page) => page.id === usedId)
  const window = windowOn(state, conversation, usedId)
  const isClosed = isClosedFor(state, conversation, usedId)
  return (
    <>
      {other !== null && <OtherDraft conversationId={id} name={name} text={other} />}
      <Composer
        draft={draft}
        onDraftChange={changeDraft}
        name={name}
        pages={pages}
        route={route}
        platform={platform}
        notice={isClosed ? t(pages.length > 1 ? 'send.closedHere' : 'send.closed', { name }) : null}
        trouble={
          <>
            {placeholdersIn(draft.text).length > 0 && <MissingValues text={draft.text} />}
            {trouble !== null && used !== undefined && <PageTrouble>{troubles[trouble](used.name)}</PageTrouble>}
            {window !== null && window !== 'standard' && (
              <BeyondWindow
                className={tools.shown ? undefined : 'typing:hidden'}
                conversationId={id}
                name={name}
                state={window}
                platform={platform}
                pageId={usedId}
              />
            )}
            {structure !== null && (
              <SentChoices
                structure={structure}
                isTooLong={!fits}
                onRemove={() => changeDraft(withExtras(draft, { structure: undefined }))}
              />
            )}
            {showsColleagues && <ReplyNotices onSendAnyway={() => sendDraft(sendChecked)} />}
            {check.isAsking && <SummaryNotice summaries={summaries} onSendAnyway={() => sendDraft(sendChecked)} />}
          </>
        }
        sending={sending || check.isChecking}
        isBlocked={!fits || check.isLoading}
        summaries={summaries}
        onSend={send}
        replyTarget={
          draft.replyTo !== undefined && (
            <ReplyTarget
              quoted={draft.replyTo.message}
              name={name}
              onRemove={() => changeDraft(withoutReplyTo(draft))}
            />
          )
        }
        keys={keys}
        tools={tools}
        files={
          attachedFiles === undefined
            ? null
            : {
                list: <AttachedFiles actor={attachedFiles} files={attached} platform={platform} onAttach={attach} />,
                buttons: <AttachButtons conversationId={id} platform={platform} onAttach={attach} />,
                attach,
                count: attached.length,
                areReady: areReady(attached, platform),
              }
        }
        cards={
          <>
            <CardButton conversationId={id} pageId={draft.pageId} platform={platform} />
            {platform === 'instagram' && <HeartButton conversationId={id} pageId={draft.pageId} isSending={sending} />}
          </>
        }
        activeReply={activeReply}
        onSlash={offersReplies ? () => savedReplies?.send({ type: 'slash.written' }) : null}
        help={
          offersReplies && (
            <ReplyHelp
              thread={thread}
              conversation={conversation}
              id={id}
              isClosed={isClosed || (usedId === null && state === 'closed')}
              draft={draft}
              onDraftChange={changeDraft}
              pageIds={usedId === null ? pageIds : [usedId]}
              pageName={used?.name ?? null}
              keys={keys}
              onPictures={attachedFiles !== undefined && offers(user, 'reply-pictures') ? attachPictures : null}
            />
          )
        }
      />
    </>
  )
}

const troubles = {
  disconnected: (name: string) => (
    <FilledText parts={{ page: <bdi>{name}</bdi> }}>{(marks) => t('send.pageDisconnected', marks)}</FilledText>
  ),
  inactive: (name: string) => (
    <FilledText parts={{ page: <bdi>{name}</bdi> }}>{(marks) => t('send.pageInactive', marks)}</FilledText>
  ),
}

/** The reason why a social page cannot send, and where to fix it. */
function PageTrouble({ children }: { children: ReactNode }) {
  const dialog = useDialog()
  const mayManage = useMay('pages.manage')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-ui bg-bad-soft px-3 py-2 text-bad text-xs">
      <p className="min-w-48 flex-1">{children}</p>
      {mayManage && (
        <Button
          className="h-7"
          onClick={() => dialog.send({ type: 'dialog.requested', dialog: { name: 'pageManager' } })}
        >
          {t('shared.managePages')}
        </Button>
      )}
    </div>
  )
}
