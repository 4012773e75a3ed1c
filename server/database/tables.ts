import type { Insertable, Selectable } from 'kysely'
import type { AccountsTables } from './tables/accounts.ts'
import type { ClientsTables } from './tables/clients.ts'
import type { CommentsTables } from './tables/comments.ts'
import type { ConversationsTables } from './tables/conversations.ts'
import type { FaqTables } from './tables/faq.ts'
import type { ImportsTables } from './tables/imports.ts'
import type { MessagesTables } from './tables/messages.ts'
import type { NoticesTables } from './tables/notices.ts'
import type { OperationsTables } from './tables/operations.ts'
import type { PagesTables } from './tables/pages.ts'
import type { PeopleTables } from './tables/people.ts'
import type { ReportsTables } from './tables/reports.ts'
import type { SendingTables } from './tables/sending.ts'
import type { ShopsTables } from './tables/shops.ts'
import type { WebhooksOutTables } from './tables/webhooks-out.ts'

export type Tables = AccountsTables &
  ClientsTables &
  CommentsTables &
  ConversationsTables &
  FaqTables &
  ImportsTables &
  MessagesTables &
  NoticesTables &
  OperationsTables &
  PagesTables &
  PeopleTables &
  ReportsTables &
  SendingTables &
  ShopsTables &
  WebhooksOutTables

/** A row as a query returns it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
export type NewMessage = Insertable<Tables['messages']>
