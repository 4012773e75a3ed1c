import type { Label, LabelBody } from '../../schemas/label.ts'
import type { LabelChange } from '../../schemas/labels-of-row.ts'

/** `id` is null for a new label. */
export type SavedLabel = { id: string | null; body: LabelBody }

/** `id` is the saved label; `labels` are all. */
export type SavedLabelAnswer = { id: string; labels: readonly Label[] }

export type ClientLabelsRequest = { clientId: string; change: LabelChange }
