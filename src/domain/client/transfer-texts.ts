import type {
  AmountFormat,
  CsvField,
  CsvImportState,
  CsvKind,
  CsvOutcome,
  DateFormat,
} from '../../schemas/csv-import.ts'
import type { ExportKind } from '../../schemas/data-export.ts'
import type { t } from '../../texts/client-on-demand.ts'

type TextId = Parameters<typeof t>[0]

export const kindTexts: Record<CsvKind | ExportKind, TextId> = {
  clients: 'client.kind.clients',
  orders: 'client.kind.orders',
  items: 'client.kind.items',
  payments: 'client.kind.payments',
  products: 'client.kind.products',
  conversations: 'client.kind.conversations',
  messages: 'client.kind.messages',
  comments: 'client.kind.comments',
  notes: 'client.kind.notes',
  labels: 'client.kind.labels',
  'saved-replies': 'client.kind.savedReplies',
  'faq-entries': 'client.kind.faqEntries',
  'wrong-answers': 'client.kind.wrongAnswers',
  people: 'client.kind.people',
  posts: 'client.kind.posts',
  pages: 'client.kind.pages',
  staff: 'client.kind.staff',
  settings: 'client.kind.settings',
}

export const importStateTexts: Record<CsvImportState, TextId> = {
  uploading: 'client.importState.uploading',
  reading: 'client.importState.reading',
  mapping: 'client.importState.mapping',
  checking: 'client.importState.checking',
  checked: 'client.importState.checked',
  running: 'client.importState.running',
  completed: 'client.importState.completed',
  failed: 'client.importState.failed',
  cancelled: 'client.importState.cancelled',
}

export const outcomeTexts: Record<CsvOutcome, TextId> = {
  created: 'client.outcome.created',
  changed: 'client.outcome.changed',
  unchanged: 'client.outcome.unchanged',
  refused: 'client.outcome.refused',
  waiting: 'client.outcome.waiting',
}

export const fieldTexts: Record<CsvField, TextId> = {
  id: 'client.field.id',
  first_name: 'client.field.first_name',
  last_name: 'client.field.last_name',
  name: 'client.field.name',
  email: 'client.field.email',
  phone: 'client.field.phone',
  company_name: 'client.field.company_name',
  classification: 'client.field.classification',
  order_number: 'client.field.order_number',
  client: 'client.field.client',
  client_email: 'client.field.client_email',
  client_phone: 'client.field.client_phone',
  status: 'client.field.status',
  total_amount: 'client.field.total_amount',
  created_at: 'client.field.created_at',
  order: 'client.field.order',
  quantity: 'client.field.quantity',
  unit_price: 'client.field.unit_price',
  amount: 'client.field.amount',
}

export const amountTexts: Record<AmountFormat, TextId> = {
  point: 'client.amounts.point',
  comma: 'client.amounts.comma',
  cents: 'client.amounts.cents',
}

export const dateTexts: Record<DateFormat, TextId> = {
  mdy: 'client.dates.mdy',
  dmy: 'client.dates.dmy',
}
