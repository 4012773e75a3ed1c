import type { Business } from '../../src/schemas/business.ts'
import {
  type AmountFormat,
  type CsvField,
  type CsvKind,
  type CsvMapping,
  csvFields,
  type DateFormat,
  type SavedCsvMapping,
} from '../../src/schemas/csv-import.ts'
import { readAmount } from './csv-amounts.ts'
import { readDate } from './csv-values.ts'

/** The form of a name for comparisons: without case, accents, spaces and punctuation. */
const formOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const common = {
  clientEmail: 'email, e-mail, email address, billing email, customer email, buyer email, client email',
  phone:
    'phone, phone number, mobile, mobile number, mobile no, contact, contact number, contact no, cellphone, cellphone number, cp number, cp no, telepono, numero, numero ng telepono, tel, billing phone, default address phone, customer phone, buyer phone, shipping phone',
  status: 'status, order status, state, katayuan, estado, financial status',
  orderRef:
    'order, order id, order no, order number, order code, order reference, order ref, order name, order sn, name, numero ng order, bilang ng order, transaction no, so number, so no, invoice, invoice no, invoice number, receipt no',
}

/**
 * The names of columns by field, the best first: our own exports, Shopify, WooCommerce, Shopee, Lazada, and what people in
 * the Philippines write.
 */
const names: { [Kind in CsvKind]: { [Field in (typeof csvFields)[Kind][number]]: string } } = {
  clients: {
    id: 'external id, id, customer id, client id, user id, customer no, customer code, client no, client code, code',
    first_name: 'first name, firstname, given name, pangalan, unang pangalan, billing first name',
    last_name: 'last name, lastname, surname, family name, apelyido, huling pangalan, billing last name',
    name: 'name, full name, fullname, customer name, client name, customer, client, buong pangalan, display name, buyer name, username',
    email: common.clientEmail,
    phone: common.phone,
    company_name:
      'company, company name, business, business name, organization, organisation, kumpanya, kompanya, negosyo, billing company, default address company',
    classification: 'classification, class, type, customer type, client type, category, group, uri, tier',
  },
  orders: {
    id: 'external id, id, order id, order key',
    order_number: common.orderRef,
    client:
      'client external id, client, client id, customer id, customer, customer no, customer code, client no, client code, kliyente, user id',
    client_email: common.clientEmail,
    client_phone: common.phone,
    status: common.status,
    total_amount:
      'total amount, total, order total, grand total, amount, total price, halaga, kabuuan, kabuuang halaga, presyo, total php, paid price',
    created_at:
      'created at, date, order date, created, date created, order creation date, create time, placed at, petsa, araw, petsa ng order, date paid',
  },
  items: {
    id: 'external id, id, item id, line item id, line id, order item id, lineitem id',
    order: `order external id, ${common.orderRef.replace('order name, ', '').replace(' name,', '')}`,
    name: 'item name, name, product, product name, item, description, lineitem name, title, produkto, aytem, paninda',
    quantity: 'quantity, qty, count, pieces, pcs, dami, bilang, lineitem quantity',
    unit_price: 'unit price, price, item price, cost, presyo, halaga, lineitem price, deal price',
  },
  payments: {
    id: 'external id, id, payment id, transaction id, reference, reference no, reference number, ref no, ref number, txn id',
    order: `order external id, ${common.orderRef}`,
    amount: 'amount, payment amount, paid, amount paid, total, bayad, halaga, binayad, halaga ng bayad',
    status: `payment status, ${common.status}`,
    created_at: 'created at, date, payment date, paid at, date paid, created, petsa, petsa ng bayad, processed at',
  },
  products: {
    id: 'sku, code, product code, item code, variant sku, seller sku, external id, id, product id, item id, barcode',
    name: 'name, product name, product, item name, item, title, description, produkto, aytem, paninda',
    unit_price:
      'price, unit price, selling price, regular price, variant price, retail price, srp, amount, presyo, halaga',
  },
}

/**
 * The mapping that the dialog proposes. A column with the name that staff chose the last time gets the same field; other
 * columns are recognized by their names. The formats of amounts and dates are those that read most values of `examples`, the
 * first rows of the file: one wrong value must not make every other row wrong.
 */
export function guessMapping(
  kind: CsvKind,
  columns: readonly string[],
  examples: readonly (readonly string[])[],
  saved: SavedCsvMapping | null,
  { currency }: Pick<Business, 'currency'>,
): CsvMapping {
  const forms = columns.map(formOf)
  const taken = new Set<number>()
  const fields: CsvMapping['fields'] = {}
  const take = (field: CsvField, index: number) => {
    if (index < 0 || taken.has(index) || fields[field] !== undefined) return
    fields[field] = index
    taken.add(index)
  }
  for (const field of csvFields[kind]) {
    const name = saved?.fields[field]
    if (name !== undefined) take(field, columns.indexOf(name))
  }
  const ranked = csvFields[kind].flatMap(
    (field: CsvField) =>
      (names[kind] as Record<string, string>)[field]
        ?.split(', ')
        .map((name, rank) => ({ field, form: formOf(name), rank })) ?? [],
  )
  for (const { field, form } of ranked.sort((a, b) => a.rank - b.rank)) take(field, forms.indexOf(form))
  const cellsOf = (...wanted: CsvField[]) =>
    wanted.flatMap((field) => {
      const index = fields[field]
      return index === undefined ? [] : examples.flatMap((row) => row[index]?.trim() || [])
    })
  return {
    fields,
    amounts: formatOf<AmountFormat>(
      cellsOf('total_amount', 'amount', 'unit_price'),
      (text, format) => typeof readAmount(text, format, currency) === 'string',
      ['point', 'comma'],
      saved?.amounts,
    ),
    dates: formatOf<DateFormat>(
      cellsOf('created_at'),
      (text, format) => readDate(text, format, 'UTC') !== null,
      ['mdy', 'dmy'],
      saved?.dates,
    ),
  }
}

/**
 * The format that reads most of the texts, of several the first. A saved choice of another file could read every text wrongly,
 * so it counts only if it reads all of them.
 */
function formatOf<Format>(
  texts: readonly string[],
  reads: (text: string, format: Format) => boolean,
  formats: readonly [Format, ...Format[]],
  saved: Format | undefined,
): Format {
  const count = (format: Format) => texts.filter((text) => reads(text, format)).length
  if (saved !== undefined && count(saved) === texts.length) return saved
  return formats.reduce((best, format) => (count(format) > count(best) ? format : best))
}

/** The choices with the names of the columns, for the next file. */
export const savedMappingOf = ({ fields, ...formats }: CsvMapping, columns: readonly string[]): SavedCsvMapping => ({
  ...formats,
  fields: Object.fromEntries(
    Object.entries(fields).flatMap(([field, index]) => {
      const name = columns[index]
      return name ? [[field, name]] : []
    }),
  ),
})
