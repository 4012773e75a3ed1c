import { t } from '../../texts/list.ts'
import { toastsIn } from '../toast.ts'

const { info, error } = toastsIn(t)

export const listToasts = {
  failed: error('list.failed'),
  moreFailed: error('list.moreFailed'),
  news: (name: string) => info('list.news', { name }),
  manyNews: (messages: number, people: number) => info('list.manyNews', { messages, people }),
  noneWaits: info('list.noneWaits'),
  noneUnread: info('list.noneUnread'),
} as const
