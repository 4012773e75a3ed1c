import { catalogue } from './catalogue.ts'
import messages from './en/shell.json' with { type: 'json' }

export type TextId = keyof typeof messages
export const t = catalogue(messages)
