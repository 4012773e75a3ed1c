import type { LabelChange } from '../../schemas/labels-of-row.ts'

export const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((each, index) => each === b[index])

/** The labels after a change. A label that is already there keeps its place; a new one comes last. */
export const withLabels = (ids: readonly string[], { add, remove }: LabelChange): string[] => [
  ...new Set([...ids.filter((id) => !remove.includes(id)), ...add]),
]

/** The change that restores `before` after `change`. Another person's later change of other labels stays. */
export const undoOfLabels = ({ add, remove }: LabelChange, before: readonly string[]): LabelChange => ({
  add: remove.filter((id) => before.includes(id)),
  remove: add.filter((id) => !before.includes(id)),
})
