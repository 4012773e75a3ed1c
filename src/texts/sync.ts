import { catalogue } from './catalogue.ts'
import messages from './en/sync.json' with { type: 'json' }

export const t = catalogue(messages)
