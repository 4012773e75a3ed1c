import messages from './en/list.json' with { type: 'json' }
import onDemand from './en/list-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
