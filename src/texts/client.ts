import { catalogue } from './catalogue.ts'
import messages from './en/client.json' with { type: 'json' }

export const t = catalogue(messages)
