import { labelNameOf } from '../../domain/list/label-use.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Select } from '../components/Field.tsx'
import { useLabels, useList } from '../use-inbox.ts'

/** The label filter where the column of the views has no place for it. */
export default function LabelSelect() {
  const { query, chooseLabel } = useList()
  const labels = useLabels()
  return (
    <Select
      aria-label={t('list.label')}
      className="w-full xl:hidden"
      value={query.labelId ?? ''}
      onChange={({ target }) => chooseLabel(target.value || undefined)}
    >
      <option value="">{t('list.allLabels')}</option>
      {labels.map((label) => (
        <option key={label.id} value={label.id}>
          {labelNameOf(label)}
        </option>
      ))}
    </Select>
  )
}
