import { Check, Search, UserPlus } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { clientNameOf, isLinked, isSearchable } from '../../domain/client/client-linking.ts'
import { limits } from '../../domain/limits.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type LinkClientActor,
  selectCreated,
  selectFound,
  selectHasSearchFailed,
  selectIsSearching,
  selectLinkBlockedReason,
  selectReasons,
  selectSelected,
  selectTerm,
} from '../../machines/client/link-client.ts'
import { type Client, clientLimits } from '../../schemas/client.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { TextInput } from '../components/Field.tsx'
import { isComposing } from '../components/is-composing.ts'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useClient, useMay } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { ClientFacts } from './ClientFacts.tsx'
import { reasonText } from './suggestion-texts.ts'

type ClientSearchProps = {
  actor: LinkClientActor
  inputRef: RefObject<HTMLInputElement | null>
  linking: boolean
  onCancel: () => void
}

/** Searches for a client and links the chosen one. */
export function ClientSearch({ actor, inputRef, linking, onCancel }: ClientSearchProps) {
  useLayoutEffect(() => inputRef.current?.focus(), [inputRef])
  const term = useSelector(actor, selectTerm)
  const found = useSelector(actor, selectFound)
  const created = useSelector(actor, selectCreated)
  const mayCreate = useMay('clients.create')
  const selected = useSelector(actor, selectSelected)
  const blockedReason = useSelector(actor, selectLinkBlockedReason)
  const searching = useSelector(actor, selectIsSearching)
  const searchFailed = useSelector(actor, selectHasSearchFailed)
  const list = useRef<HTMLFieldSetElement>(null)
  const clientIds = withCreated(found?.clientIds ?? [], created)
  const nobody = found !== null && found.clientIds.length === 0 && !searching && isSearchable(term)

  const intoList = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    list.current?.querySelector('input')?.focus()
  }
  return (
    <form
      aria-label={t('client.linkForm')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'link.requested' })
      }}
    >
      <div className="relative mx-4 mt-3 shrink-0">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
        />
        <TextInput
          ref={inputRef}
          type="text"
          inputMode="search"
          maxLength={clientLimits.search}
          autoComplete="off"
          spellCheck={false}
          aria-label={t('client.searchClients')}
          placeholder={t('client.searchHint')}
          className="pl-9"
          value={term}
          onChange={(event) => actor.send({ type: 'search.typed', term: event.target.value })}
          onKeyDown={intoList}
        />
      </div>
      <p role="status" className="min-h-7.5 shrink-0 px-4 pt-1.5 pb-2 text-ink-2 text-xs">
        {!isSearchable(term) && created === null && t('client.searchMinimum', { least: limits.clientSearchMinimum })}
        {searching && t('client.searching')}
        {nobody && t('client.noneFound', { term: safeText(found.term) })}
        {searchFailed && t('client.searchNotDone')}
      </p>
      <div className="scroller min-h-0 flex-1 border-line border-t">
        {searchFailed && <TryAgain className="mx-4 mt-4" onRetry={() => actor.send({ type: 'refetch.requested' })} />}
        {clientIds.length > 0 && (
          <fieldset ref={list} className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
            <legend className="sr-only">{t('client.clients')}</legend>
            {clientIds.map((id) => (
              <ClientOption
                key={id}
                actor={actor}
                id={id}
                selected={id === selected}
                onChoose={(client) => actor.send({ type: 'client.chosen', client })}
              />
            ))}
          </fieldset>
        )}
        {mayCreate && found !== null && !searching && created === null && (
          <Button
            variant={nobody ? 'outline' : 'ghost'}
            className={nobody ? 'mx-4 mt-4' : 'm-2'}
            onClick={() => actor.send({ type: 'form.opened' })}
          >
            <UserPlus size={15} aria-hidden="true" />
            {t('client.createNewClient')}
          </Button>
        )}
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
        <Button disabled={linking} onClick={onCancel}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={linking} blockedReason={blockedReason}>
          {linking ? t('client.linking') : t('client.linkClient')}
        </SubmitButton>
      </footer>
    </form>
  )
}

/** A client created in this dialog is listed first until it is linked. */
const withCreated = (clientIds: readonly string[], created: string | null): readonly string[] =>
  created === null ? clientIds : [created, ...clientIds.filter((id) => id !== created)]

type ClientOptionProps = { actor: LinkClientActor; id: string; selected: boolean; onChoose: (client: Client) => void }

function ClientOption({ actor, id, selected, onChoose }: ClientOptionProps) {
  const group = useId()
  const client = useClient(id)
  const reasons = useSelector(
    actor,
    useMemo(() => selectReasons(id), [id]),
  )
  if (client === null) return null
  const linked = isLinked(client)
  const facts = [client.email, client.phone, client.company_name].map((fact) => safeName(fact ?? '')).filter(Boolean)
  return (
    <label
      className={classNames(
        'relative flex items-center gap-3 border-line border-b px-4 py-2.5 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
        linked ? 'text-ink-3' : 'cursor-pointer',
        selected ? 'bg-accent-soft shadow-[inset_3px_0_0_var(--color-accent)]' : !linked && 'hover:bg-sunken',
      )}
    >
      <input
        type="radio"
        name="client"
        className="sr-only"
        checked={selected}
        aria-disabled={linked}
        aria-describedby={`${group}-facts`}
        onChange={() => onChoose(client)}
      />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{clientNameOf(client) || t('client.unnamedClient')}</bdi>
        <span id={`${group}-facts`} className={classNames('block text-xs', !linked && 'text-ink-2')}>
          <ClientFacts facts={facts} />
          {reasons.map((reason) => (
            <span key={`${reason.kind} ${reason.value}`} className="block">
              {reasonText(reason)}
            </span>
          ))}
        </span>
      </span>
      {linked ? (
        <Badge>{t('client.alreadyLinked')}</Badge>
      ) : (
        <span className="size-4.5 shrink-0 text-accent">
          {selected && <Check size={18} role="img" aria-label={t('client.selected')} />}
        </span>
      )}
    </label>
  )
}
