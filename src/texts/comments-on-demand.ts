import { catalogue } from './catalogue.ts'
import messages from './en/comments-on-demand.json' with { type: 'json' }

export const t = catalogue(messages)
