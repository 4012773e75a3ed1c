import { LabelChips } from './LabelChip.tsx'

/** The labels in a row of the list: two, and how many more. */
export default function RowLabels({ ids }: { ids: readonly string[] }) {
  return <LabelChips ids={ids} most={2} className="shrink-0" chipClassName="max-w-20 max-xl:max-w-14" />
}
