import * as z from 'zod/mini'
import { labelLimits } from './labels-of-row.ts'
import { answerOf, count, id } from './primitives.ts'

/** The colours have a contrast of at least 4.5:1 in both colour schemes (`src/views/labels/label-colours.ts`). */
export const labelColours = [
  'blue',
  'teal',
  'green',
  'amber',
  'orange',
  'pink',
  'purple',
  'indigo',
  'red',
  'grey',
] as const
const labelColour = z.enum(labelColours)
export type LabelColour = z.infer<typeof labelColour>

/** A label for conversations and clients (feature 'labels'). */
export const label = z.object({
  id,
  name: z.string(),
  /** A colour that this client does not know is shown as grey. */
  colour: z.catch(labelColour, 'grey'),
  /** A message of a person with one of these words or phrases puts the label on the conversation. */
  keywords: z.array(z.string()),
})
export type Label = z.infer<typeof label>

/** Two names with the same key are the same name. */
export const labelNameKey = (name: string): string => name.trim().normalize('NFKC').toLowerCase()

const keyword = z.string().check(z.trim(), z.minLength(1), z.maxLength(labelLimits.keyword))

/** The body of both POST and PUT. */
export const labelBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(labelLimits.name)),
  colour: labelColour,
  keywords: z.array(keyword).check(
    z.maxLength(labelLimits.keywords),
    z.refine((keywords) => new Set(keywords).size === keywords.length, 'not unique'),
  ),
})
export type LabelBody = z.input<typeof labelBody>

/** Every answer has all labels, sorted by name. */
export const labelsAnswer = answerOf(z.object({ labels: z.array(label) }))
/** `id` is the label that was created or changed. */
export const savedLabelAnswer = answerOf(z.object({ id, labels: z.array(label) }))

/** How many conversations and clients have a label. */
const labelUsage = z.object({ conversations: count, clients: count })
export type LabelUsage = z.infer<typeof labelUsage>
export const labelUsageAnswer = answerOf(labelUsage)
