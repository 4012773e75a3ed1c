import messages from './en/shell.json' with { type: 'json' }
import onDemand from './en/shell-on-demand.json' with { type: 'json' }
import { catalogueOnDemand } from './shared-on-demand.ts'

export type TextId = keyof typeof onDemand
export const t = catalogueOnDemand({ ...messages, ...onDemand })
