import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import type { PushSubscriptionFields } from '../../../src/schemas/web-push.ts'

/** A notification as the browser would get it, and what the push service was told about it. */
type Received = {
  content: unknown
  headers: Pick<IncomingHttpHeaders, 'ttl' | 'urgency' | 'topic' | 'content-encoding'>
  /** The contact in the verified token of the sender. */
  contact: string | undefined
}

type Answer = { status: number; headers?: Record<string, string> }

/** Decrypts a message as a browser does (RFC 8291 with the encoding aes128gcm of RFC 8188). */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)]
  const senderKey = body.subarray(21, 21 + keyLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = Buffer.from(hkdfSync('sha256', browser.computeSecret(senderKey), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
  const record = body.subarray(21 + keyLength)
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record ends with a 2 and its padding.
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}

/** A push service and the browsers that have subscribed to it. */
export async function startPushService() {
  const browsers = new Map<string, { key: ReturnType<typeof createECDH>; auth: Buffer }>()
  const received: Received[] = []
  const answers: Answer[] = []
  let requests = 0

  const server = createServer(async (request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = answers.shift() ?? { status: 201 }
    const browser = browsers.get(request.url ?? '')
    if (browser === undefined) {
      response.writeHead(404).end()
      return
    }
    // `vapid t=<token>, k=<public key>` (RFC 8292)
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(request.headers.authorization ?? '') ?? []
    const point = Buffer.from(key, 'base64url')
    const senderKey = createPublicKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 33).toString('base64url'),
        y: point.subarray(33).toString('base64url'),
      },
    })
    const { payload } = await jwtVerify(token, senderKey, { audience: origin, requiredClaims: ['exp', 'sub'] })
    const { ttl, urgency, topic, 'content-encoding': encoding } = request.headers
    if (answer.status < 300)
      received.push({
        content: JSON.parse(decrypt(Buffer.concat(chunks), browser.key, browser.auth)),
        headers: { ttl, urgency, topic, 'content-encoding': encoding },
        contact: payload.sub,
      })
    response.writeHead(answer.status, answer.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    received,
    /** The next answers, in order. Without one the service takes every message. */
    answers,
    requests: () => requests,
    /** A browser subscribes. */
    subscribe(name: string): PushSubscriptionFields {
      const [key, auth] = [createECDH('prime256v1'), randomBytes(16)]
      key.generateKeys()
      const path = `/push/${encodeURIComponent(name)}`
      browsers.set(path, { key, auth })
      return {
        endpoint: `${origin}${path}`,
        keys: { p256dh: key.getPublicKey('base64url'), auth: auth.toString('base64url') },
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
export type PushService = Awaited<ReturnType<typeof startPushService>>
