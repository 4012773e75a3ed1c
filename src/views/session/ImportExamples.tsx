import { t } from '../../texts/session-on-demand.ts'

const client = { first_name: 'Tala', last_name: 'Bituin', phone: '0917 123 4567' }
const order = {
  client: '42',
  order_number: 'SO-1001',
  status: 'ready',
  total_amount: 1250,
  created_at: '2026-01-05T12:00:00Z',
  items: [{ name: 'Tarpaulin', quantity: 2, unit_price: 625 }],
}
const payment = { order: '1001', amount: 500, status: 'approved', created_at: '2026-01-05T12:30:00Z' }
const bulk = {
  clients: [{ external_id: '42', ...client }],
  orders: [{ external_id: '1001', ...order }],
  payments: [{ external_id: '7', ...payment }],
}

const examples = [
  { name: 'session.keyExampleClient', method: 'PUT', path: '/clients/42', body: client },
  { name: 'session.keyExampleOrder', method: 'PUT', path: '/orders/1001', body: order },
  { name: 'session.keyExamplePayment', method: 'PUT', path: '/payments/7', body: payment },
  { name: 'session.keyExampleBulk', method: 'POST', path: '', body: bulk },
] as const

/** What to type in a shell to import with this key: a command for each route of `/api/import`. */
export function ImportExamples({ apiKey }: { apiKey: string }) {
  return (
    <>
      {examples.map(({ name, method, path, body }) => (
        <div key={name} className="grid gap-1">
          <h5 className="text-ink-2 text-xs">{t(name)}</h5>
          <pre className="rounded-ui border border-line p-3 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
            {`curl -X ${method} ${window.location.origin}/api/import${path} \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`}
          </pre>
        </div>
      ))}
      <a className="text-accent text-xs underline" href="/api/openapi.json" target="_blank" rel="noreferrer">
        {t('session.keyDescription')}
      </a>
    </>
  )
}
