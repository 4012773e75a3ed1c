import { catalogue } from './catalogue.ts'
import messages from './en/thread.json' with { type: 'json' }
import onDemand from './en/thread-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
