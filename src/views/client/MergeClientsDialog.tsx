import { Search } from 'lucide-react'
import { type RefObject, useId, useLayoutEffect, useRef } from 'react'
import { clientNameOf, isSearchable } from '../../domain/client/client-linking.ts'
import { differingFields } from '../../domain/client/client-merge.ts'
import { limits } from '../../domain/limits.ts'
import { safeName, safeText } from '../../domain/shown-text.ts'
import {
  type MergePreview,
  selectFound,
  selectHasSearchFailed,
  selectIsSearching,
  selectPreview,
  selectStep,
  selectTake,
  selectTerm,
} from '../../machines/client/merge-clients.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type Client, clientLimits } from '../../schemas/client.ts'
import { type MergedField, removalLimits } from '../../schemas/client-removal.ts'
import { languageOf } from '../../schemas/customer-language.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { TextInput } from '../components/Field.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { ClientFacts } from './ClientFacts.tsx'
import { languageNames } from './language-names.ts'

type Props = Pick<DialogProps<'mergeClients'>, 'actor'>

const nameOf = (client: Client): string => clientNameOf(client) || t('client.unnamedClient')

const labels = {
  first_name: 'client.firstName',
  last_name: 'client.lastName',
  company_name: 'client.company',
  email: 'client.email',
  phone: 'client.phone',
  classification: 'client.classification',
  language: 'client.languageTitle',
  is_active: 'client.activity',
} as const

function shownValue(client: Client, field: MergedField): string {
  if (field === 'is_active') return client.is_active ? t('shared.active') : t('shared.inactive')
  if (field === 'language')
    return client.language == null ? t('client.emptyValue') : t(languageNames[languageOf(client.language)])
  return safeText(client[field] ?? '') || t('client.emptyValue')
}

/** Merges another client into this one: a search, then a preview with a choice for each differing field. */
export default function MergeClientsDialog({ actor, title, onDismiss }: DialogProps<'mergeClients'>) {
  const step = useSelector(actor, selectStep)
  const preview = useSelector(actor, selectPreview)
  const isMerging = step === 'merging'
  const search = useRef<HTMLInputElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      initialFocus={search}
      className="w-150 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      <div className="scroller grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 p-4">
        {step === 'choosing' && <Choice actor={actor} inputRef={search} />}
        {step === 'loading' && (
          <p role="status" className="text-ink-2">
            {t('client.loading')}
          </p>
        )}
        {preview !== null && <Preview actor={actor} preview={preview} isMerging={isMerging} />}
      </div>
      {preview !== null && (
        <footer className="flex shrink-0 justify-end gap-2 border-line border-t px-4 py-3">
          <Button disabled={isMerging} onClick={() => actor.send({ type: 'back.requested' })}>
            {t('client.mergeBack')}
          </Button>
          <Button
            variant="primary"
            disabled={step !== 'comparing'}
            onClick={() => actor.send({ type: 'merge.confirmed' })}
          >
            {isMerging ? t('client.merging') : t('client.mergeConfirm')}
          </Button>
        </footer>
      )}
    </DialogFrame>
  )
}

function Choice({ actor, inputRef }: Props & { inputRef: RefObject<HTMLInputElement | null> }) {
  // On return from the preview, the button that led to it no longer exists.
  useLayoutEffect(() => inputRef.current?.focus(), [inputRef])
  const term = useSelector(actor, selectTerm)
  const found = useSelector(actor, selectFound)
  const isSearching = useSelector(actor, selectIsSearching)
  const hasFailed = useSelector(actor, selectHasSearchFailed)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-ink-2">{t('client.mergeHelp')}</p>
      <div className="relative">
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
        />
      </div>
      <p role="status" className="min-h-4 text-ink-2 text-xs">
        {!isSearchable(term) && t('client.searchMinimum', { least: limits.clientSearchMinimum })}
        {isSearching && t('client.searching')}
        {found?.clients.length === 0 && !isSearching && t('client.noneFound', { term: safeText(found.term) })}
        {hasFailed && t('client.searchNotDone')}
      </p>
      {hasFailed && <TryAgain onRetry={() => actor.send({ type: 'refetch.requested' })} />}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {found?.clients.map((client) => (
          <li
            key={client.id}
            className="flex items-center justify-between gap-3 rounded-ui border border-line px-3 py-2"
          >
            <span className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{nameOf(client)}</bdi>
              <span className="block text-ink-2 text-xs">
                <ClientFacts
                  facts={[client.email, client.phone, client.company_name]
                    .map((fact) => safeName(fact ?? ''))
                    .filter(Boolean)}
                />
              </span>
            </span>
            <Button
              className="shrink-0"
              aria-label={t('client.mergeWith', { name: nameOf(client) })}
              onClick={() => actor.send({ type: 'client.chosen', id: client.id })}
            >
              {t('client.compare')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Preview({ actor, preview, isMerging }: Props & { preview: MergePreview; isMerging: boolean }) {
  const { kept, other } = preview
  const fields = differingFields(kept.client, other.client)
  return (
    <>
      <p className="[overflow-wrap:anywhere]">
        {t('client.mergeQuestion', { kept: nameOf(kept.client), other: nameOf(other.client) })}
      </p>
      <ul className="grid list-disc gap-1 pl-5 text-ink-2">
        <li>{t('client.mergeOrders', { orders: other.orders, payments: other.payments })}</li>
        {kept.client.fb_user_id != null && other.client.fb_user_id != null && <li>{t('client.mergeChats')}</li>}
        <li>{t('client.mergeUndo', { days: removalLimits.days })}</li>
      </ul>
      {fields.length === 0 ? (
        <p>{t('client.mergeSame')}</p>
      ) : (
        fields.map((field) => (
          <FieldChoice key={field} actor={actor} preview={preview} field={field} isMerging={isMerging} />
        ))
      )}
    </>
  )
}

function FieldChoice({
  actor,
  preview,
  field,
  isMerging,
}: Props & { preview: MergePreview; field: MergedField; isMerging: boolean }) {
  const isTaken = useSelector(actor, selectTake).includes(field)
  const name = useId()
  const options = [
    [preview.kept.client, false],
    [preview.other.client, true],
  ] as const
  return (
    <fieldset className="grid min-w-0 grid-cols-2 gap-2 max-sm:grid-cols-1" disabled={isMerging}>
      <legend className="mb-1 font-semibold text-ink-2 text-xs">{t(labels[field])}</legend>
      {options.map(([client, taken]) => (
        <label
          key={client.id}
          className="flex min-w-0 items-center gap-2 rounded-ui border border-line px-3 py-2 touch:min-h-11 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            className="shrink-0 accent-accent"
            checked={isTaken === taken}
            onChange={() => actor.send({ type: 'field.chosen', field, isTaken: taken })}
          />
          <bdi className="min-w-0 [overflow-wrap:anywhere]">{shownValue(client, field)}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
