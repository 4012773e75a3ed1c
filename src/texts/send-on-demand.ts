import { catalogue } from './catalogue.ts'
import messages from './en/send.json' with { type: 'json' }
import onDemand from './en/send-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
