import { t } from '../../texts/send-on-demand.ts'
import { mayHaveArrived, type Outgoing } from './outgoing.ts'

const ids = {
  queued: 'send.queued',
  pending: 'shared.sending',
  offline: 'send.offline',
  waiting: 'send.notSentYet',
  unconfirmed: 'send.checkingSend',
  notFound: 'shared.unconfirmed',
  failed: 'send.notSent',
} as const satisfies Record<Outgoing['status'], unknown>

/** The state of a message of staff in words. */
export const sendStateText = ({ status }: Outgoing): string => t(ids[status])

/** The same, with the reason of a failure that is certain. */
export const sendStateWithReason = (send: Outgoing): string =>
  send.failure === null || mayHaveArrived(send) ? sendStateText(send) : `${sendStateText(send)}: ${send.failure}`
