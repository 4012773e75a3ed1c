import { catalogue } from './catalogue.ts'
import messages from './en/pages.json' with { type: 'json' }
import onDemand from './en/pages-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
