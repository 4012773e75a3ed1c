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
export const sendStateText = ({ status }: Pick<Outgoing, 'status'>): string => t(ids[status])

/** The same, with the reason of a failure that is certain. */
export const sendStateWithReason = (send: Pick<Outgoing, 'status' | 'failure'>): string =>
  send.failure === null || mayHaveArrived(send) ? sendStateText(send) : `${sendStateText(send)}: ${send.failure}`

/** The state of an answer to a comment. Sending it again is safe: the server sends it once for its key. */
export const answerStateWithReason = (answer: Pick<Outgoing, 'status' | 'failure'>): string =>
  answer.status === 'notFound' ? t('send.answerNotFound') : sendStateWithReason(answer)
