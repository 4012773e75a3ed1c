import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import {
  type CsvField,
  type CsvKind,
  type CsvMapping,
  csvLimits,
  type DateFormat,
} from '../../src/schemas/csv-import.ts'
import {
  externalId,
  importedClient,
  importedItem,
  importedOrder,
  importedPayment,
  importedProduct,
  importLimits,
} from '../../src/schemas/import.ts'
import { cleanText } from '../clean-text.ts'
import { withoutDefusing } from '../csv.ts'
import { phoneKey, phoneNumberOf } from '../phones.ts'
import type { Batch } from './batch.ts'
import { type AmountFault, amountFaults, readAmount } from './csv-amounts.ts'
import { orderStatusOf, paymentStatusOf, paymentStatusReason } from './csv-statuses.ts'

const months = new Map(
  [
    ['jan', 'ene'],
    ['feb', 'peb'],
    ['mar'],
    ['apr', 'abr'],
    ['may'],
    ['jun', 'hun'],
    ['jul', 'hul'],
    ['aug', 'ago'],
    ['sep', 'set'],
    ['oct', 'okt'],
    ['nov', 'nob'],
    ['dec', 'dis'],
  ].flatMap((all, index) => all.map((name) => [name, index + 1] as const)),
)

const time = String.raw`(?:,?[T\s]+(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?\s*(?<half>[ap]\.?m\.?)?)?`
const zone = String.raw`\s*(?<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?`
const dateForms = {
  ymd: String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})`,
  mdy: String.raw`(?<month>\d{1,2})[-/.](?<day>\d{1,2})[-/.](?<year>\d{4})`,
  dmy: String.raw`(?<day>\d{1,2})[-/.](?<month>\d{1,2})[-/.](?<year>\d{4})`,
  monthFirst: String.raw`(?<name>\p{L}{3,10})\.?\s+(?<day>\d{1,2}),?\s+(?<year>\d{4})`,
  dayFirst: String.raw`(?<day>\d{1,2})[\s-](?<name>\p{L}{3,10})\.?,?[\s-](?<year>\d{4})`,
}
const withTime = (form: keyof typeof dateForms) => new RegExp(`^${dateForms[form]}${time}${zone}$`, 'iu')
const named = [withTime('ymd'), withTime('monthFirst'), withTime('dayFirst')]
const datePatterns: Record<DateFormat, RegExp[]> = {
  mdy: [...named, withTime('mdy')],
  dmy: [...named, withTime('dmy')],
}

/** ISO 8601; null if the text is not a date. A date without a zone is one of `timeZone`; without a time, its midnight. */
export function readDate(text: string, format: DateFormat, timeZone: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > 60) return null
  const found = datePatterns[format]
    .map((pattern) => pattern.exec(trimmed)?.groups)
    .find((groups) => groups !== undefined)
  if (found === undefined) return null
  const { year, month, day, name, hour = '0', minute = '0', second = '0', fraction = '', half, zone: written } = found
  const monthNumber = name === undefined ? Number(month) : months.get(name.slice(0, 3).toLowerCase())
  if (monthNumber === undefined) return null
  const isAfternoon = half?.toLowerCase().startsWith('p')
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return null
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const local = new Date(0)
  local.setUTCFullYear(Number(year), monthNumber - 1, Number(day))
  local.setUTCHours(hours, Number(minute), Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')))
  const isReal = local.getUTCMonth() === monthNumber - 1 && local.getUTCDate() === Number(day)
  if (!isReal || Number(year) < 1) return null
  const offset = written === undefined ? null : offsetOf(written)
  const at = offset === null ? inZone(local.getTime(), timeZone) : local.getTime() - offset
  return new Date(at).toISOString()
}

/** Milliseconds east of UTC. */
function offsetOf(written: string): number {
  const parts = /^([+-])(\d{2}):?(\d{2})$/.exec(written)
  if (parts === null) return 0
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return (parts[1] === '-' ? -minutes : minutes) * 60_000
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The moment at which the clocks of the zone show `local`, which is given as if the zone were UTC. Milliseconds. */
function inZone(local: number, timeZone: string): number {
  let clock = clocks.get(timeZone)
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
    clocks.set(timeZone, clock)
  }
  const shown = clock
  const offsetAt = (at: number) => offsetOf(/GMT(.*)$/.exec(shown.format(at))?.[1] ?? '')
  return local - offsetAt(local - offsetAt(local))
}

type KeyOf = 'id' | 'email address' | 'phone number' | 'order number'

/**
 * `key`: the external id, and `keyOf`: the field that it is from. If the file gives none, the id is derived, and several rows
 * may have it.
 */
export type ReadRow<Kind extends CsvKind = CsvKind> = {
  [Each in Kind]: { key: string; keyOf: KeyOf; isDerived: boolean; value: Omit<Batch[Each][number], 'external_id'> }
}[Kind]

const labels: Record<CsvField, string> = {
  id: 'id',
  first_name: 'first name',
  last_name: 'last name',
  name: 'name',
  email: 'email address',
  phone: 'phone number',
  company_name: 'company',
  classification: 'classification',
  order_number: 'order number',
  client: 'id of the client',
  client_email: 'email address of the client',
  client_phone: 'phone number of the client',
  status: 'status',
  total_amount: 'total',
  created_at: 'date',
  order: 'order',
  quantity: 'quantity',
  unit_price: 'price',
  amount: 'amount',
}

/** The columns of clients and orders whose stored value stays, because the file has no column for them. */
export const keptColumns = ({ fields }: CsvMapping): { clients: string[]; orders: string[] } => ({
  clients: [
    'is_active',
    ...(['email', 'phone', 'company_name', 'classification'] as const).filter((field) => fields[field] === undefined),
  ],
  orders: ['items'],
})

/** The values of a row, or the reason why the row cannot be stored, for staff. */
export function readRow(
  kind: CsvKind,
  cells: readonly string[],
  { mapping, columns, business }: { mapping: CsvMapping; columns: number; business: Business },
): ReadRow | string {
  if (cells.length > columns) return 'The row has more cells than the header.'
  if (cells.some((cell) => cell.length > csvLimits.cell)) return 'A cell is too long.'
  const { fields, amounts, dates } = mapping
  const cell = (field: CsvField): string => {
    const index = fields[field]
    return index === undefined ? '' : withoutDefusing(cleanText(cells[index] ?? '').trim())
  }
  const missing = (...wanted: CsvField[]) => wanted.find((field) => cell(field) === '')
  const amountOf = (field: CsvField) => readAmount(cell(field), amounts, business.currency)
  const noAmount = (field: CsvField, { fault }: { fault: AmountFault }) => `The ${labels[field]} ${amountFaults[fault]}`
  const date = () => readDate(cell('created_at'), dates, business.time_zone)
  const checked = <Schema extends z.ZodMiniType>(
    schema: Schema,
    given: unknown,
    key: string,
    { isDerived = false, keyOf = 'id' as KeyOf } = {},
  ): { key: string; keyOf: KeyOf; isDerived: boolean; value: z.output<Schema> } | string => {
    const name = isDerived ? shortened(key) : key
    if (!externalId.safeParse(name).success) return 'The id is not valid or too long.'
    const parsed = schema.safeParse(given)
    if (parsed.success) return { key: name, keyOf, isDerived, value: parsed.data }
    const field = String(parsed.error.issues[0]?.path[0] ?? 'id') as CsvField
    return `The ${labels[field]} is not valid or too long.`
  }

  switch (kind) {
    case 'clients': {
      const [first, last] = nameOf(cell('first_name'), cell('last_name'), cell('name'))
      if (first === '' || last === '') return 'A client needs a first and a last name.'
      const found = clientKey(cell('id'), cell('email'), cell('phone'), business.country)
      if (found === null) return 'There is no id, email address or phone number.'
      const given = {
        first_name: first,
        last_name: last,
        email: cell('email'),
        phone: cell('phone'),
        company_name: cell('company_name'),
        ...(cell('classification') === '' ? {} : { classification: cell('classification').toLowerCase() }),
      }
      const row = checked(importedClient, given, found.key, found)
      if (typeof row === 'string') return row
      return { ...row, value: { ...row.value, phoneNumber: phoneNumberOf(cell('phone'), business.country) } }
    }
    case 'orders': {
      const empty = missing('order_number', 'status', 'total_amount', 'created_at')
      if (empty !== undefined) return `There is no ${labels[empty]}.`
      const named = clientKey(cell('client'), cell('client_email'), cell('client_phone'), business.country)
      if (named === null) return 'The row names no client.'
      const total_amount = amountOf('total_amount')
      if (typeof total_amount !== 'string') return noAmount('total_amount', total_amount)
      const created_at = date()
      if (created_at === null) return 'The date cannot be read in the chosen format.'
      const order_number = cell('order_number')
      const given = { client: named.key, order_number, status: orderStatusOf(cell('status')), total_amount, created_at }
      const keyOf = cell('id') === '' ? 'order number' : 'id'
      const row = checked(importedOrder, given, cell('id') || order_number, { keyOf })
      if (typeof row === 'string' || cell('client') !== '') return row
      const clientEmail = cell('client_email') || undefined
      const clientPhone = clientEmail === undefined ? phoneNumberOf(cell('client_phone'), business.country) : null
      const clientBy = clientEmail === undefined ? 'phone number' : 'email address'
      return { ...row, value: { ...row.value, clientEmail, clientPhone: clientPhone ?? undefined, clientBy } }
    }
    case 'items': {
      const empty = missing('order', 'name', 'quantity')
      if (empty !== undefined) return `There is no ${labels[empty]}.`
      const unit_price = cell('unit_price') === '' ? undefined : amountOf('unit_price')
      if (typeof unit_price === 'object') return noAmount('unit_price', unit_price)
      const quantity = /^\d{1,10}(\.\d{1,3})?$/.test(cell('quantity')) ? Number(cell('quantity')) : null
      const [order, name] = [cell('order'), cell('name')]
      const itemId = cell('id') || shortened(JSON.stringify([name, unit_price ?? null]))
      const key = shortened(JSON.stringify([order, itemId]))
      const row = checked(importedItem, { order, name, quantity, unit_price }, key, { isDerived: cell('id') === '' })
      return typeof row === 'string' ? row : { ...row, value: { ...row.value, itemId, orderNumber: order } }
    }
    case 'payments': {
      const empty = missing('order', 'amount', 'status', 'created_at')
      if (empty !== undefined) return `There is no ${labels[empty]}.`
      const amount = amountOf('amount')
      if (typeof amount !== 'string') return noAmount('amount', amount)
      const created_at = date()
      if (created_at === null) return 'The date cannot be read in the chosen format.'
      const status = paymentStatusOf(cell('status'))
      if (status === null) return paymentStatusReason
      const order = cell('order')
      const key = cell('id') || JSON.stringify([order, amount, created_at])
      const given = { order, amount, status, created_at }
      const row = checked(importedPayment, given, key, { isDerived: cell('id') === '' })
      return typeof row === 'string' ? row : { ...row, value: { ...row.value, orderNumber: order } }
    }
    case 'products': {
      const empty = missing('id', 'name', 'unit_price')
      if (empty !== undefined) return `There is no ${labels[empty]}.`
      const unit_price = amountOf('unit_price')
      if (typeof unit_price !== 'string') return noAmount('unit_price', unit_price)
      return checked(importedProduct, { name: cell('name'), unit_price }, cell('id'))
    }
  }
}

/** The external id of a client that a file knows by id, else by email address, else by phone number. */
function clientKey(
  id: string,
  email: string,
  phone: string,
  country: string,
): { key: string; keyOf: Exclude<KeyOf, 'order number'> } | null {
  if (id !== '') return { key: id, keyOf: 'id' }
  if (email !== '') return { key: shortened(`email:${email.toLowerCase()}`), keyOf: 'email address' }
  const key = phoneKey(phone, country)
  return key === null ? null : { key: `phone:${key}`, keyOf: 'phone number' }
}

/** First and last name. The last word of a whole name is the last name. */
function nameOf(first: string, last: string, whole: string): readonly [string, string] {
  if (first !== '' && last !== '') return [first, last]
  const words = (whole || `${first} ${last}`).trim().split(/\s+/)
  return [words.slice(0, -1).join(' '), words.at(-1) ?? '']
}

/** The key, or its hash if the key is long. Both leave space for the number of an occurrence. */
const shortened = (key: string): string =>
  key.length <= importLimits.id - 10 ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
