import messages from './en/sync.json' with { type: 'json' }
import onDemand from './en/sync-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
