import messages from './en/comments-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export const t = catalogueOnDemand(messages)
