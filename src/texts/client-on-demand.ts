import { catalogue } from './catalogue.ts'
import messages from './en/client-on-demand.json' with { type: 'json' }

export const t = catalogue(messages)
