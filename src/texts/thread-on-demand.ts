import messages from './en/thread.json' with { type: 'json' }
import onDemand from './en/thread-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
