import type { Label } from '../../schemas/label.ts'
import { labelColours, labelNameKey } from '../../schemas/label.ts'
import type { LabelChange } from '../../schemas/labels-of-row.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { safeName } from '../shown-text.ts'

/** Whether all, some or none of several rows have a label. */
export type LabelUse = 'all' | 'some' | 'none'

/** `rows`: the label ids of each row. */
export function labelUseIn(rows: readonly (readonly string[])[], labelId: string): LabelUse {
  const count = rows.filter((ids) => ids.includes(labelId)).length
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some'
}

/** What a person chose about labels and has not applied yet: put on, or taken off. */
export type LabelChoices = Readonly<Record<string, boolean>>

/** The choices after a press on a label. A choice that changes no row is dropped. */
export function withToggled(choices: LabelChoices, labelId: string, use: LabelUse): LabelChoices {
  const isOn = !(choices[labelId] ?? use === 'all')
  const { [labelId]: _, ...others } = choices
  return use === (isOn ? 'all' : 'none') ? others : { ...others, [labelId]: isOn }
}

/** The use that the dialog shows. */
export const shownUse = (choices: LabelChoices, labelId: string, use: LabelUse): LabelUse =>
  choices[labelId] === undefined ? use : choices[labelId] ? 'all' : 'none'

/** Null if nothing was chosen. */
export function changeOf(choices: LabelChoices): LabelChange | null {
  const ids = Object.keys(choices)
  if (ids.length === 0) return null
  return { add: ids.filter((id) => choices[id] === true), remove: ids.filter((id) => choices[id] === false) }
}

/** The labels whose name contains the typed text. */
export function foundLabels(labels: readonly Label[], typed: string): Label[] {
  const key = labelNameKey(typed)
  return labels.filter(({ name }) => labelNameKey(name).includes(key))
}

/** Whether a label with this name can be created. */
export const isNewName = (labels: readonly Label[], typed: string): boolean =>
  typed.trim() !== '' &&
  typed.trim().length <= labelLimits.name &&
  labels.length < labelLimits.labels &&
  labels.every(({ name }) => labelNameKey(name) !== labelNameKey(typed))

/** The colour that the fewest labels have. */
export const freeColour = (labels: readonly Label[]) =>
  labelColours
    .map((colour) => ({ colour, count: labels.filter((label) => label.colour === colour).length }))
    .toSorted((a, b) => a.count - b.count)[0]?.colour ?? 'grey'

/** The known labels of a row, in its order. */
export const labelsOf = (labels: readonly Label[], ids: readonly string[]): Label[] =>
  ids.flatMap((id) => labels.find((label) => label.id === id) ?? [])

/** The name as shown to staff. */
export const labelNameOf = ({ name }: Label): string => safeName(name)
