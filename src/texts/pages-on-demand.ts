import messages from './en/pages.json' with { type: 'json' }
import onDemand from './en/pages-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand({ ...messages, ...onDemand })
