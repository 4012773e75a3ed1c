import messages from './en/client-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand(messages)
