import messages from './en/send.json' with { type: 'json' }
import onDemand from './en/send-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
