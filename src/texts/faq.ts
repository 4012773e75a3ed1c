import { catalogue } from './catalogue.ts'
import messages from './en/faq.json' with { type: 'json' }

export const t = catalogue(messages)
