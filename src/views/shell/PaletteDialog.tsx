import { Autocomplete } from '@base-ui/react/autocomplete'
import { Search } from 'lucide-react'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ActorRefFrom } from 'xstate'
import { knownNameOf, nameOf } from '../../domain/list/conversation-text.ts'
import { fuzzyMatches, fuzzyRank } from '../../domain/shell/fuzzy.ts'
import { noHits } from '../../domain/shell/search-calls.ts'
import { type recordsMachine, selectRow } from '../../machines/list/records.ts'
import { type DialogProps, selectRecent } from '../../machines/shell/dialog.ts'
import {
  type PaletteEvent,
  selectAreFound,
  selectFound,
  selectFurther,
  selectHasFailed,
  selectIsSearching,
  selectSearch,
  selectTerm,
} from '../../machines/shell/palette.ts'
import {
  selectFoundTerm,
  selectHasFailed as selectHaveHitsFailed,
  selectHits,
  selectIsOffered,
  selectIsSearching as selectIsSearchingHits,
} from '../../machines/shell/search.ts'
import { searchLimit } from '../../schemas/conversation.ts'
import type { OrderHit } from '../../schemas/search.ts'
import { t as listText } from '../../texts/list-on-demand.ts'
import { t } from '../../texts/shell-on-demand.ts'
import { useSession } from '../actors.tsx'
import { openClientPage } from '../client-page-path.ts'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TextInput } from '../components/Field.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { PersonAvatar } from '../list/PersonAvatar.tsx'
import { useOpenConversation } from '../open-conversation.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'
import { useRow } from '../use-list.ts'
import { useOpenAtMessage } from '../use-open-at-message.ts'
import { useConversationPages } from '../use-pages.ts'
import { shallowEqual, useSelector } from '../use-selector.ts'
import type { CommandGroup } from './command.ts'
import { commandsIn, isOffered } from './commands.ts'
import { Hit, type HitItem, hitGroups } from './SearchHits.tsx'
import { type Situation, useReceivers, useSituation } from './use-situation.ts'

/** An entry of the palette. */
type Item = { id: string; name: string; keys: readonly string[]; kind: 'command' | 'person' } | HitItem
type Group = { id: string; label: string; items: Item[] }

const groups: readonly CommandGroup[] = ['conversation', 'inbox', 'views', 'settings']

const labelOf = (group: CommandGroup, { conversation, ids }: Situation): string => {
  switch (group) {
    case 'conversation':
      if (ids.length > 1) return listText('list.marked', { count: ids.length })
      return (conversation && knownNameOf(conversation)) ?? t('shell.paletteConversation')
    case 'inbox':
      return t('shared.inbox')
    case 'views':
      return t('shell.paletteViews')
    case 'settings':
      return t('shell.paletteSettings')
  }
}

/** The offered commands that match the term, in groups. Without a term the last chosen ones come first. */
function commandGroups(situation: Situation, term: string, recent: readonly string[]): Group[] {
  const all = commandsIn(situation)
    .filter((command) => isOffered(command, situation))
    .map((command) => ({
      ...command,
      name: command.name(situation),
      keys: command.keys ?? [],
      kind: 'command' as const,
    }))
  const isEmpty = term.trim() === ''
  const lately = isEmpty ? recent.flatMap((id) => all.find((command) => command.id === id) ?? []) : []
  const others = fuzzyMatches(
    term,
    all.filter((command) => !lately.includes(command)),
    ({ name }) => name,
  )
  const inGroups = groups.map((group) => ({
    id: group,
    label: labelOf(group, situation),
    items: others.filter((command) => command.group === group),
  }))
  // The group with the best match comes first.
  const placeOf = (id: string) => others.findIndex(({ group }) => group === id)
  if (!isEmpty) inGroups.sort((a, b) => placeOf(a.id) - placeOf(b.id))
  return [{ id: 'recent', label: t('shell.paletteRecent'), items: lately }, ...inGroups].filter(
    ({ items }) => items.length > 0,
  )
}

/** The found people. Those of an earlier term stay until the answer if their names match. */
function usePeople(actor: DialogProps<'palette'>['actor'], term: string): Item[] {
  const found = useSelector(actor, selectFound)
  const areFound = useSelector(actor, selectAreFound)
  const records: ActorRefFrom<typeof recordsMachine> = useSession().system.get('records')
  const names = useSelector(
    records,
    (snapshot) =>
      found.map((id) => {
        const row = selectRow(id)(snapshot)
        return row === null ? null : nameOf(row)
      }),
    shallowEqual,
  )
  return found.flatMap((id, index) => {
    const name = names[index]
    if (name == null || (!areFound && fuzzyRank(term, name) === null)) return []
    return [{ id, name, keys: [], kind: 'person' as const }]
  })
}

/** The clients, orders and messages; empty if the API does not offer them. */
function useSearch(actor: DialogProps<'palette'>['actor']) {
  const search = useSelector(actor, selectSearch)
  const none = { actor: search, hits: noHits, term: '', isSearching: false, hasFailed: false, isOffered: false }
  return useSelector(
    search,
    (snapshot) =>
      snapshot === undefined
        ? none
        : {
            actor: search,
            hits: selectHits(snapshot),
            term: selectFoundTerm(snapshot),
            isSearching: selectIsSearchingHits(snapshot),
            hasFailed: selectHaveHitsFailed(snapshot),
            isOffered: selectIsOffered(snapshot),
          },
    shallowEqual,
  )
}

/** The command palette. What is found comes last, so that its arrival moves nothing. */
export default function PaletteDialog({ actor, title, onDismiss }: DialogProps<'palette'>) {
  const status = useId()
  const input = useRef<HTMLInputElement>(null)
  const term = useSelector(actor, selectTerm)
  const isSearching = useSelector(actor, selectIsSearching)
  const hasFailed = useSelector(actor, selectHasFailed)
  const further = useSelector(actor, selectFurther)
  const dialog = useDialog()
  const recent = useSelector(dialog, selectRecent)
  const mayOpenOrder = useMayOpen('order')
  const situation = useSituation()
  const receivers = useReceivers()
  const openConversation = useOpenConversation()
  const openAtMessage = useOpenAtMessage()
  const people = usePeople(actor, term)
  const search = useSearch(actor)
  const shown: Group[] = [
    ...commandGroups(situation, term, recent),
    ...(people.length > 0 ? [{ id: 'people', label: t('shell.palettePeople'), items: people }] : []),
    ...hitGroups(search.hits),
  ]
  const count = shown.reduce((sum, { items }) => sum + items.filter(({ kind }) => kind !== 'more').length, 0)
  const openClient = (id: string) => {
    openClientPage(id)
    actor.send({ type: 'person.chosen' })
  }

  /** What opens another dialog or moves the focus comes after this dialog gave the focus back. */
  const closeBefore = (event: PaletteEvent, next: () => void) => {
    flushSync(() => actor.send(event))
    queueMicrotask(next)
  }
  const openOrder = ({ id: orderId, client_id: clientId }: OrderHit) => {
    if (!mayOpenOrder) return openClient(clientId)
    closeBefore({ type: 'person.chosen' }, () =>
      dialog.send({ type: 'dialog.requested', dialog: { name: 'order', input: { clientId, orderId } } }),
    )
  }

  const retry = () => {
    if (hasFailed) actor.send({ type: 'refetch.requested' })
    if (search.hasFailed) search.actor?.send({ type: 'refetch.requested' })
  }
  const open = (id: string) => {
    openConversation(id)
    actor.send({ type: 'person.chosen' })
  }
  const choose = (item: Item) => {
    const { id } = item
    switch (item.kind) {
      case 'person':
        return open(id)
      case 'message':
        openAtMessage?.(item.hit.primary_user_id, item.hit.message_id)
        return actor.send({ type: 'person.chosen' })
      case 'client':
        return openClient(item.hit.id)
      case 'order':
        return openOrder(item.hit)
      case 'more':
        return search.actor?.send({ type: 'more.requested', kind: item.of })
      case 'command':
    }
    closeBefore({ type: 'command.chosen', id }, () =>
      commandsIn(situation)
        .find((command) => command.id === id)
        ?.run?.(receivers, situation),
    )
  }
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={input}
      className="h-128 w-144 max-w-full max-sm:h-full"
    >
      <Autocomplete.Root
        inline
        open
        mode="none"
        autoHighlight="always"
        keepHighlight
        items={shown}
        itemToStringValue={({ name }: Item) => name}
        value={term}
        onValueChange={(value, { reason }) => {
          if (reason === 'input-change' || reason === 'input-clear') actor.send({ type: 'term.typed', term: value })
        }}
      >
        <div className="relative mx-4 mt-3 shrink-0">
          <Search
            size={15}
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
          />
          <Autocomplete.Input
            ref={input}
            render={<TextInput />}
            aria-label={title}
            aria-describedby={status}
            placeholder={t(search.isOffered ? 'shell.searchHint' : 'shell.paletteHint')}
            maxLength={searchLimit}
            autoComplete="off"
            spellCheck={false}
            className="pl-9"
          />
        </div>
        <div className="flex min-h-8 shrink-0 items-center justify-between gap-2 px-4 py-1 text-ink-2 text-xs">
          <Autocomplete.Status id={status}>
            {[
              hasFailed && t('shell.paletteFailed'),
              search.hasFailed && t('shell.searchFailed'),
              search.isSearching
                ? t('shell.searchRunning')
                : isSearching
                  ? t('shell.paletteSearching')
                  : t('shell.paletteCount', { count }),
            ]
              .filter(Boolean)
              .join(' ')}
          </Autocomplete.Status>
          {(hasFailed || search.hasFailed) && <TryAgain onRetry={retry} />}
        </div>
        <Autocomplete.List aria-label={title} className="scroller min-h-0 flex-1 border-line border-t p-2 outline-none">
          {(group: Group) => (
            <Autocomplete.Group key={group.id} items={group.items} className="pb-1">
              <Autocomplete.GroupLabel dir="auto" className="truncate px-2 pt-2 pb-1 font-semibold text-ink-2 text-xs">
                {group.label}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: Item) => (
                  <Autocomplete.Item
                    key={item.id}
                    value={item}
                    onClick={() => choose(item)}
                    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-ui px-2 py-1 touch:min-h-11 data-highlighted:bg-accent-soft"
                  >
                    <Content item={item} term={search.term} />
                    {item.keys.map((key) => (
                      <kbd
                        key={key}
                        className="grid h-5 min-w-5 place-items-center rounded-tag border border-line bg-sunken px-1 font-medium font-sans text-2xs text-ink-2 pointer-coarse:hidden"
                      >
                        {key}
                      </kbd>
                    ))}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        {search.hits.isPartial && !search.isSearching && (
          <p className="shrink-0 border-line border-t px-4 py-2 text-ink-2 text-xs">{t('shell.searchPartial')}</p>
        )}
        {further > 0 && !isSearching && (
          <p className="shrink-0 border-line border-t px-4 py-2 text-ink-2 text-xs">
            {t('shell.paletteFurther', { count: further })}
          </p>
        )}
      </Autocomplete.Root>
    </DialogFrame>
  )
}

function Content({ item, term }: { item: Item; term: string }) {
  switch (item.kind) {
    case 'person':
      return <Person id={item.id} />
    case 'command':
      return <span className="min-w-0 flex-1 truncate">{item.name}</span>
    default:
      return <Hit item={item} term={term} />
  }
}

function Person({ id }: { id: string }) {
  const conversation = useRow(id)
  return conversation === null ? null : <PersonLine conversation={conversation} />
}

function PersonLine({ conversation }: { conversation: NonNullable<ReturnType<typeof useRow>> }) {
  const pages = useConversationPages(conversation)
  return (
    <>
      <PersonAvatar conversation={conversation} size="sm" />
      <bdi className="min-w-0 truncate">{nameOf(conversation)}</bdi>
      <span className="min-w-0 flex-1 truncate text-ink-2 text-xs">{pages.map(({ name }) => name).join(' · ')}</span>
    </>
  )
}
