import { catalogue } from './catalogue.ts'
import messages from './en/session.json' with { type: 'json' }
import onDemand from './en/session-on-demand.json' with { type: 'json' }

export const t = catalogue({ ...messages, ...onDemand })
