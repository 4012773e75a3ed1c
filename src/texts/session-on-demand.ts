import messages from './en/session.json' with { type: 'json' }
import onDemand from './en/session-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
