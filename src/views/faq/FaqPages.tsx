import { useId } from 'react'
import { type FaqFields, withPage } from '../../domain/faq/faq-fields.ts'
import { chosenPages } from '../../domain/faq/faq-pages.ts'
import { safeName } from '../../domain/shown-text.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Select } from '../components/Select.tsx'
import { usePageList } from '../use-pages.ts'

type PagesFieldProps = { fields: FaqFields; disabled: boolean; onChange: (change: Partial<FaqFields>) => void }

/** The pages on which an entry replies: all, or chosen ones. */
export function PagesField({ fields, disabled, onChange }: PagesFieldProps) {
  const { pages } = usePageList()
  const name = useId()
  const isChosen = fields.pageIds !== null
  return (
    <fieldset disabled={disabled} className="grid gap-1.5">
      <legend className="mb-1 font-medium text-xs">{t('faq.pages')}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {[false, true].map((chosen) => (
          <label key={String(chosen)} className="flex cursor-pointer items-center gap-2 touch:min-h-11">
            <input
              type="radio"
              name={name}
              className="size-4 accent-accent"
              checked={isChosen === chosen}
              onChange={() => onChange({ pageIds: chosen ? [] : null })}
            />
            {chosen ? t('faq.chosenPages') : t('faq.allPages')}
          </label>
        ))}
      </div>
      {fields.pageIds !== null && (
        <ul aria-label={t('faq.chosenPages')} className="grid gap-1 pl-6">
          {pages.map(({ page_id, page_name }) => (
            <li key={page_id}>
              <label className="flex cursor-pointer items-center gap-2 touch:min-h-11">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={fields.pageIds?.includes(page_id) ?? false}
                  onChange={({ target }) => onChange(withPage(fields, page_id, target.checked))}
                />
                <bdi className="min-w-0 [overflow-wrap:anywhere]">{safeName(page_name)}</bdi>
              </label>
            </li>
          ))}
          {pages.length === 0 && <li className="text-ink-2 text-xs">{t('faq.noPages')}</li>}
          <RemovedPages pageIds={fields.pageIds} />
        </ul>
      )}
    </fieldset>
  )
}

/** Says that chosen pages were removed. Says nothing until the pages are loaded. */
function RemovedPages({ pageIds }: { pageIds: readonly string[] }) {
  const { pages, loading, failed } = usePageList()
  const chosen = chosenPages({ page_ids: pageIds }, pages)
  if (loading || failed || chosen === null || chosen.removed === 0) return null
  return (
    <li className="text-warn text-xs">
      {chosen.known.length === 0 ? t('faq.appliesToNone') : t('faq.removedPages', { count: chosen.removed })}
    </li>
  )
}

/** The pages of an entry in the list; nothing for an entry of all pages. */
export function PagesLine({ pageIds }: { pageIds: readonly string[] | null | undefined }) {
  const { pages } = usePageList()
  const chosen = chosenPages({ page_ids: pageIds }, pages)
  if (pageIds == null || chosen === null) return null
  return (
    <ul className="text-ink-2 text-xs">
      {chosen.known.length > 0 && (
        <li className="[overflow-wrap:anywhere]">
          {t('faq.onPages', { pages: chosen.known.map(({ page_name }) => safeName(page_name)).join(', ') })}
        </li>
      )}
      <RemovedPages pageIds={pageIds} />
    </ul>
  )
}

type PageSelectProps = {
  label: string
  /** The text of the choice without a page. */
  none: string
  className: string
  value: string | null
  onChoose: (pageId: string | null) => void
}

export function PageSelect({ label, none, className, value, onChoose }: PageSelectProps) {
  const { pages } = usePageList()
  return (
    <Select
      aria-label={label}
      className={className}
      value={value ?? ''}
      onChange={({ target }) => onChoose(target.value || null)}
    >
      <option value="">{none}</option>
      {pages.map(({ page_id, page_name }) => (
        <option key={page_id} value={page_id}>
          {safeName(page_name)}
        </option>
      ))}
    </Select>
  )
}
