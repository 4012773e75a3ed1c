import { catalogue } from './catalogue.ts'
import messages from './en/list.json' with { type: 'json' }
import onDemand from './en/list-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
