import { catalogue } from './catalogue.ts'
import messages from './en/shell.json' with { type: 'json' }
import onDemand from './en/shell-on-demand.json' with { type: 'json' }

export type TextId = keyof typeof onDemand
export const t = catalogue({ ...messages, ...onDemand })
