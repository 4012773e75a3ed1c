import { catalogue } from './catalogue.ts'
import messages from './en/session.json' with { type: 'json' }

export const t = catalogue(messages)
