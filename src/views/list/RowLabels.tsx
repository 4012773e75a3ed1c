import { LabelChips } from './LabelChip.tsx'

/** The labels in a row of the list: two, and how many more. */
export default function RowLabels({ ids }: { ids: readonly string[] }) {
  return <LabelChips ids={ids} most={2} chipClassName="min-w-4 max-w-20 max-xl:max-w-14" />
}
