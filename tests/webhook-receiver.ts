import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Received = { path: string; headers: IncomingHttpHeaders; body: string }
type Answer = { status: number; headers?: Record<string, string> }

/** A program that receives webhooks. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const answers: Answer[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    const { status, headers } = answers.shift() ?? { status: 200 }
    response.writeHead(status, headers).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** The next answers, in order. Without one the receiver answers 200. */
    answers,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>

/**
 * Verifies a webhook as https://github.com/standard-webhooks/standard-webhooks describes it, with Web Crypto. True if any
 * signature is of the secret. Does not check the age.
 */
export async function isSignedWith(
  secret: string,
  { headers, body }: { headers: IncomingHttpHeaders; body: string },
): Promise<boolean> {
  const raw = Uint8Array.from(atob(secret.replace('whsec_', '')), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const results = String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => {
      const [version, value = ''] = signature.split(',')
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0))
      return version === 'v1' && crypto.subtle.verify('HMAC', key, bytes, signed)
    })
  return (await Promise.all(results)).includes(true)
}
