import { catalogue } from './catalogue.ts'
import messages from './en/sync.json' with { type: 'json' }
import onDemand from './en/sync-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
