import { catalogue } from './catalogue.ts'
import messages from './en/shell.json' with { type: 'json' }

export const t = catalogue(messages)
