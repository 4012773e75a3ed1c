import { Search } from 'lucide-react'
import { type Candidate, type ChatStep, canJoin } from '../../domain/client/chats.ts'
import { isSearchable } from '../../domain/client/client-linking.ts'
import { limits } from '../../domain/limits.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  selectChats,
  selectFound,
  selectHasFailed,
  selectHasSearchFailed,
  selectIsBusy,
  selectIsChanging,
  selectIsSearching,
  selectStep,
  selectTerm,
} from '../../machines/client/chats.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { Chat, Chats } from '../../schemas/chats.ts'
import { searchLimit } from '../../schemas/conversation.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TextInput } from '../components/Field.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

type Actor = Pick<DialogProps<'chats'>, 'actor'>

/** Removes a wrong link to a client, splits chats off and joins the chats of one person. */
export default function ChatsDialog({ actor, title, onDismiss }: DialogProps<'chats'>) {
  const chats = useSelector(actor, selectChats)
  const hasFailed = useSelector(actor, selectHasFailed)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      className="w-120 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="scroller grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-5 p-4">
        {chats === null && (
          <p role="status" className="text-ink-2">
            {hasFailed ? t('client.chatsNotLoaded') : t('client.chatsLoading')}
          </p>
        )}
        {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
        {chats !== null && (
          <>
            <ClientPart actor={actor} client={chats.client} />
            <ChatList actor={actor} chats={chats.chats} />
            <JoinPart actor={actor} chats={chats} />
          </>
        )}
      </div>
      <Question actor={actor} />
    </DialogFrame>
  )
}

function ClientPart({ actor, client }: Actor & Pick<Chats, 'client'>) {
  const isBusy = useSelector(actor, selectIsBusy)
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="font-semibold text-ink-2 text-xs">{t('client.chatsClient')}</h3>
      <p dir="auto" className="[overflow-wrap:anywhere]">
        {client === null ? t('client.chatsNotLinked') : t('client.chatsLinkedTo', { client: shownName(client.name) })}
      </p>
      {client !== null && (
        <StepButton
          actor={actor}
          disabled={isBusy}
          step={{ kind: 'unlink', clientId: client.id, name: shownName(client.name) }}
        >
          {t('client.unlink')}
        </StepButton>
      )}
    </section>
  )
}

const shownName = (name: string): string => safeName(name) || t('client.unnamedClient')

/** Two chats may have the same name or the same page, so one is shown with the other: "Cherry Cruz (Balay Crafts)". */
function chatText(first: string | null | undefined, second: string | null | undefined): string {
  const [name, place] = [safeName(first ?? ''), safeName(second ?? '')]
  return name === '' || place === '' ? name || place : t('client.chatPlace', { name, place })
}

function ChatList({ actor, chats }: Actor & { chats: readonly Chat[] }) {
  const isBusy = useSelector(actor, selectIsBusy)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-semibold text-ink-2 text-xs">{t('client.chatsList')}</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {chats.map((chat) => (
          <li
            key={chat.fb_user_id}
            className="flex items-center justify-between gap-3 rounded-ui border border-line px-3 py-2"
          >
            <Facts
              name={safeName(chat.page_name ?? '')}
              facts={[safeName(chat.name ?? ''), t('client.chatFacts', { messages: chat.total_messages })]}
            />
            {chat.is_first ? (
              chats.length > 1 && <Badge>{t('client.chatFirst')}</Badge>
            ) : (
              <StepButton
                actor={actor}
                disabled={isBusy}
                label={t('client.splitNamed', { page: chatText(chat.page_name, chat.name) })}
                step={{ kind: 'split', chatId: chat.fb_user_id, name: chatText(chat.page_name, chat.name) }}
              >
                {t('client.split')}
              </StepButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function JoinPart({ actor, chats }: Actor & { chats: Chats }) {
  const term = useSelector(actor, selectTerm)
  const found = useSelector(actor, selectFound)
  const isSearching = useSelector(actor, selectIsSearching)
  const hasFailed = useSelector(actor, selectHasSearchFailed)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-semibold text-ink-2 text-xs">{t('client.joinHeading')}</h3>
      <p className="text-ink-2">{t('client.joinHelp')}</p>
      <div className="relative">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
        />
        <TextInput
          type="text"
          inputMode="search"
          maxLength={searchLimit}
          autoComplete="off"
          spellCheck={false}
          aria-label={t('client.joinSearch')}
          placeholder={t('client.joinSearchHint')}
          className="pl-9"
          value={term}
          onChange={(event) => actor.send({ type: 'search.typed', term: event.target.value })}
        />
      </div>
      <p role="status" className="min-h-4 text-ink-2 text-xs">
        {!isSearchable(term) && t('client.searchMinimum', { least: limits.clientSearchMinimum })}
        {isSearching && t('client.searching')}
        {found?.candidates.length === 0 && !isSearching && t('client.joinNoneFound', { term: safeText(found.term) })}
        {hasFailed && t('client.searchNotDone')}
      </p>
      {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
      {found !== null && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {found.candidates.map((candidate) => (
            <CandidateRow key={candidate.id} actor={actor} chats={chats} candidate={candidate} />
          ))}
        </ul>
      )}
    </section>
  )
}

function CandidateRow({ actor, chats, candidate }: Actor & { chats: Chats; candidate: Candidate }) {
  const isBusy = useSelector(actor, selectIsBusy)
  const { id, name, pages, client } = candidate
  return (
    <li className="flex items-center justify-between gap-3 rounded-ui border border-line px-3 py-2">
      <Facts
        name={name}
        facts={[safeName(pages), client === null ? '' : t('client.joinClient', { name: shownName(client.name) })]}
      />
      {canJoin(chats, candidate) ? (
        <StepButton
          actor={actor}
          disabled={isBusy}
          label={t('client.joinNamed', { name: chatText(name, pages) })}
          step={{ kind: 'join', otherId: id, name: chatText(name, pages) }}
        >
          {t('client.join')}
        </StepButton>
      ) : (
        <Badge>{t('client.joinOtherClient')}</Badge>
      )}
    </li>
  )
}

function Facts({ name, facts }: { name: string; facts: readonly string[] }) {
  return (
    <div className="min-w-0">
      <bdi className="block truncate font-medium">{name}</bdi>
      <bdi className="block truncate text-ink-2 text-xs">{facts.filter(Boolean).join(' · ')}</bdi>
    </div>
  )
}

type StepButtonProps = Actor & { step: ChatStep; disabled: boolean; label?: string; children: string }

function StepButton({ actor, step, disabled, label, children }: StepButtonProps) {
  return (
    <Button
      className="shrink-0"
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => actor.send({ type: 'step.chosen', step })}
    >
      {children}
    </Button>
  )
}

const questions = {
  unlink: { title: 'client.unlinkTitle', question: 'client.unlinkQuestion', confirm: 'client.unlinkConfirm' },
  split: { title: 'client.splitTitle', question: 'client.splitQuestion', confirm: 'client.splitConfirm' },
  join: { title: 'client.joinTitle', question: 'client.joinQuestion', confirm: 'client.joinConfirm' },
} as const

/** Asks before each step. */
function Question({ actor }: Actor) {
  const step = useSelector(actor, selectStep)
  const isChanging = useSelector(actor, selectIsChanging)
  if (step === null) return null
  const { title, question, confirm } = questions[step.kind]
  return (
    <ConfirmDialog
      title={t(title)}
      question={t(question, { name: step.name })}
      confirm={t(confirm)}
      isBusy={isChanging}
      onConfirm={() => actor.send({ type: 'step.confirmed' })}
      onCancel={() => actor.send({ type: 'step.cancelled' })}
    />
  )
}
