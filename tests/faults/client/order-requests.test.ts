import { createChatOrders } from '../../../src/services/client/chat-orders.ts'
import { createDataTransfer } from '../../../src/services/client/data-transfer.ts'
import { messageOf } from '../../domain/message-fixture.ts'
import { approved, confirm, confirmed, detailsOf, mug, shirt } from '../../model/client/chat-orders-fixture.ts'
import { csvImportOf, file, firstRows, withoutName } from '../../model/client/data-transfer-fixture.ts'
import { describeRequests, done, ok, unreadable } from '../requests.ts'

const productBody = { code: 'M-1', name: 'Mug', price: 12_550, is_active: true }
const newOrder = {
  id: '00000000-0000-4000-8000-000000000001',
  client_id: 'k1',
  message_id: 'm1',
  attachment: null,
  items: [{ name: 'Mug', quantity: 2, unit_price: 12_550 }],
  discount: 0,
  delivery_fee: 5_000,
}
const newPayment = {
  id: '00000000-0000-4000-8000-000000000002',
  amount: 30_100,
  method: 'gcash' as const,
  reference: 'GC-1',
  message_id: 'm1',
  attachment: 0,
  accepts_double: false,
}
const order = detailsOf({ messages: [messageOf('m1', 0)] })

describeRequests('The service of products and orders', createChatOrders, [
  {
    claim: 'asks for the products',
    call: (orders, signal) => orders.loadProducts(signal),
    asks: ['GET /products'],
    answer: ok([mug, unreadable, shirt]),
    gives: [mug, shirt],
    warns: ['1 products could not be read'],
  },
  {
    claim: 'creates a product that has no id',
    call: (orders) => orders.saveProduct({ id: null, body: productBody }),
    asks: ['POST /products', productBody],
    answer: done,
  },
  {
    claim: 'changes a product that has an id',
    call: (orders) => orders.saveProduct({ id: 'p/1', body: productBody }),
    asks: ['PUT /products/p%2F1', productBody],
    answer: done,
  },
  {
    claim: 'deletes a product',
    call: (orders) => orders.deleteProduct({ id: 'p/1' }),
    asks: ['DELETE /products/p%2F1'],
    answer: done,
  },
  {
    claim: 'makes an order',
    call: (orders) => orders.makeOrder(newOrder),
    asks: ['POST /orders', newOrder],
    answer: done,
  },
  {
    claim: 'asks for an order with its payments and messages',
    call: (orders, signal) => orders.loadOrder({ orderId: 'o/1' }, signal),
    asks: ['GET /orders/o%2F1'],
    answer: ok({
      ...order,
      payments: [...order.payments, unreadable],
      messages: [unreadable, ...order.messages],
    }),
    gives: order,
    warns: ['1 payments could not be read', '1 messages could not be read'],
  },
  {
    claim: 'changes the status of an order that the person saw',
    call: (orders) => orders.changeOrder({ orderId: 'o/1', change: confirm }),
    asks: ['PUT /orders/o%2F1/status', { from: 'pending', to: 'confirmed' }],
    answer: ok(confirmed),
    gives: confirmed,
  },
  {
    claim: 'changes the status of a payment that the person saw',
    call: (orders) =>
      orders.changeOrder({
        orderId: 'o/1',
        change: { kind: 'payment', paymentId: 'y/1', from: 'pending', to: 'approved' },
      }),
    asks: ['PUT /orders/o%2F1/payments/y%2F1/status', { from: 'pending', to: 'approved' }],
    answer: ok(approved),
    gives: approved,
  },
  {
    claim: 'records a payment',
    call: (orders) => orders.recordPayment({ orderId: 'o/1', body: newPayment }),
    asks: ['POST /orders/o%2F1/payments', newPayment],
    answer: done,
  },
])

const item = { id: 'i/1' }
const csvImport = csvImportOf()

describeRequests('The service of imports and exports', createDataTransfer, [
  {
    claim: 'asks for the imports',
    call: (transfer, signal) => transfer.loadImports(signal),
    asks: ['GET /imports'],
    answer: ok({ imports: [csvImport, unreadable] }),
    gives: [csvImport],
    warns: ['1 imports could not be read'],
  },
  {
    claim: 'asks for an import',
    call: (transfer, signal) => transfer.loadImport(item, signal),
    asks: ['GET /imports/i%2F1'],
    answer: ok(csvImport),
    gives: csvImport,
  },
  {
    claim: 'begins an upload with the name and the size of the file',
    call: (transfer) => transfer.upload({ ...item, kind: 'clients', file, step: -1 }),
    asks: ['POST /imports', { id: 'i/1', kind: 'clients', file_name: 'clients.csv', bytes: 7 }],
    answer: ok(csvImport),
    gives: null,
  },
  {
    claim: 'names a file that has no name',
    call: (transfer) => transfer.upload({ ...item, kind: 'clients', file: new File(['id'], ''), step: -1 }),
    asks: ['POST /imports', { id: 'i/1', kind: 'clients', file_name: 'file.csv', bytes: 2 }],
    answer: ok(csvImport),
    gives: null,
  },
  {
    claim: 'uploads a part of a file in base64',
    call: (transfer) => transfer.upload({ ...item, kind: 'clients', file, step: 0 }),
    asks: ['PUT /imports/i%2F1/parts/0', { data: btoa('id,name') }],
    answer: done,
    gives: null,
  },
  {
    claim: 'lets the server read a file after its last part',
    call: (transfer) => transfer.upload({ ...item, kind: 'clients', file, step: 1 }),
    asks: ['POST /imports/i%2F1/read'],
    answer: ok(csvImport),
    gives: csvImport,
  },
  {
    claim: 'lets the server check an import with the chosen columns',
    call: (transfer) => transfer.checkImport({ ...item, mapping: withoutName }),
    asks: ['POST /imports/i%2F1/check', withoutName],
    answer: ok(csvImport),
    gives: csvImport,
  },
  {
    claim: 'runs an import',
    call: (transfer) => transfer.runImport(item),
    asks: ['POST /imports/i%2F1/run'],
    answer: ok(csvImport),
    gives: csvImport,
  },
  {
    claim: 'cancels an import',
    call: (transfer) => transfer.cancelImport(item),
    asks: ['POST /imports/i%2F1/cancel'],
    answer: ok(csvImport),
    gives: csvImport,
  },
  {
    claim: 'asks for the rows of an import with an outcome',
    call: (transfer, signal) => transfer.loadRows({ ...item, outcome: 'refused', after: 51 }, signal),
    asks: ['GET /imports/i%2F1/rows?outcome=refused&after=51'],
    answer: ok(firstRows),
    gives: firstRows,
  },
  {
    claim: 'asks for the first rows of an import with any outcome',
    call: (transfer, signal) => transfer.loadRows({ ...item, outcome: null, after: 0 }, signal),
    asks: ['GET /imports/i%2F1/rows?after=0'],
    answer: ok(firstRows),
    gives: firstRows,
  },
  {
    claim: 'downloads the rows that were not stored from the address that the server gives',
    call: (transfer) => transfer.saveRefused(item),
    asks: ['POST /imports/i%2F1/refused-rows'],
    answer: ok({ path: '/exports/file?ticket=t' }),
    saves: [['/exports/file?ticket=t']],
  },
  {
    claim: 'downloads all rows of a kind from the address that the server gives',
    call: (transfer) => transfer.exportData({ kind: 'orders', format: 'json' }),
    asks: ['POST /exports', { kind: 'orders', format: 'json' }],
    answer: ok({ path: '/exports/file?ticket=t' }),
    saves: [['/exports/file?ticket=t']],
  },
])
