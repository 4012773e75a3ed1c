import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { graphMessage } from '../../../server/network/graph/graph-shapes.ts'
import { createNormalizeUrl, type NormalizeUrl } from '../../../server/network/graph/normalize-url.ts'
import { createPace } from '../../../server/network/graph/pace.ts'
import { createPageCalls } from '../../../server/network/graph/page-calls.ts'
import { createPageTokens } from '../../../server/network/graph/page-tokens.ts'
import { createPictures } from '../../../server/network/pictures/pictures.ts'
import { createPartReader } from '../../../server/network/store/part-reader.ts'
import { partsOfWebhook, readGraphMessage } from '../../../server/network/store/read-message.ts'
import { createFetchPicture } from '../../../server/pictures/fetch-picture.ts'
import { isPictureSource, isPublicAddress } from '../../../server/pictures/image-hosts.ts'
import { FetchRefused } from '../../../server/pictures/open-source.ts'
import { createPictureAddresses } from '../../../server/pictures/picture-addresses.ts'
import { detectPictureType } from '../../../server/pictures/picture-type.ts'
import { createPictureRoutes } from '../../../server/pictures/routes.ts'
import { describeOnDatabase } from '../databases.ts'
import { keysOf, ringOf } from '../derived-keys.ts'
import { addIdentity, addPage } from '../people.ts'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])
const keyring = ringOf('k'.repeat(32))
const signed = 'https://scontent.xx.fbcdn.net/v/t1/a.jpg?oh=00_SECRET&oe=7fffffff'

/** An image host with configurable responses. */
async function openHost(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the host has no port')
  return { origin: `http://127.0.0.1:${bound.port}`, close: () => server.closeAllConnections() ?? server.close() }
}

type Host = Awaited<ReturnType<typeof openHost>>

describe('Picture sources', () => {
  it.each([
    ['https://scontent.xx.fbcdn.net/a.jpg', true],
    ['https://platform-lookaside.fbsbx.com/platform/profilepic/?ext=1', true],
    ['https://scontent.cdninstagram.com/a.jpg', true],
    ['https://fbcdn.net/a.jpg', true],
    ['http://localhost:9999/sandbox/media/1.png', true],
    ['http://scontent.xx.fbcdn.net/a.jpg', false],
    ['https://scontent.xx.fbcdn.net:8443/a.jpg', false],
    ['https://user:word@scontent.xx.fbcdn.net/a.jpg', false],
    ['http://user:word@localhost:9999/a.png', false],
    ['https://evilfbcdn.net/a.jpg', false],
    ['https://fbcdn.net.evil.example/a.jpg', false],
    ['https://127.0.0.1/a.jpg', false],
    ['https://2130706433/a.jpg', false],
    ['http://localhost:9998/a.png', false],
    ['https://localhost:9999/a.png', false],
    ['file:///etc/passwd', false],
  ])('isPictureSource returns for %s: %s', (address, allowed) => {
    expect(isPictureSource(new URL(address), ['http://localhost:9999'])).toBe(allowed)
  })

  it.each([
    ['157.240.1.1', true],
    ['2a03:2880:f003::1', true],
    ['0.0.0.0', false],
    ['10.1.2.3', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['192.168.1.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:157.240.1.1', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['ff02::1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
  ])('isPublicAddress returns for %s: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic)
  })

  it.each<[string, number[] | string, string | null]>([
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
    ['a PNG', [...png], 'image/png'],
    ['a GIF', 'GIF89a...', 'image/gif'],
    ['a WebP', 'RIFF....WEBPVP8 ', 'image/webp'],
    ['an AVIF', '....ftypavif', 'image/avif'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', null],
    ['an HTML page', '<!doctype html>', null],
    ['nothing', '', null],
  ])('detectPictureType recognizes %s by its first bytes', (_, content, type) => {
    expect(detectPictureType(typeof content === 'string' ? Buffer.from(content) : Uint8Array.from(content))).toBe(type)
  })
})

describe('createPictureAddresses', () => {
  const addresses = createPictureAddresses({ keyring, trustedOrigins: [] })
  const own = addresses.addressOf(new URL(signed)) ?? ''
  const encrypted = own.replace('/pictures/', '')

  it('encrypts the source', () => {
    expect(own).toMatch(/^\/pictures\/[\w-]+$/)
    expect(addresses.sourceOf(encrypted)).toBe(signed)
    expect(Buffer.from(encrypted, 'base64url').toString('latin1')).not.toMatch(/SECRET|fbcdn|oh=/)
  })

  it('returns the same address for the same source, also after a restart', () => {
    expect(createPictureAddresses({ keyring, trustedOrigins: [] }).addressOf(new URL(signed))).toBe(own)
    expect(addresses.addressOf(new URL(`${signed}0`))).not.toBe(own)
  })

  it('returns no address for a source that is not allowed', () => {
    expect(addresses.addressOf(new URL('https://evil.example/a.png'))).toBeNull()
  })

  it('rejects forged and changed addresses and those of another key', () => {
    const other = createPictureAddresses({ keyring: ringOf('o'.repeat(32)), trustedOrigins: [] })
    const foreign = other.addressOf(new URL(signed))?.replace('/pictures/', '') ?? ''
    const bytes = Buffer.from(encrypted, 'base64url')
    const changed = Array.from(bytes, (_, index) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(index) ^ 1, index)
      return copy.toString('base64url')
    })
    const forgeries = [
      '',
      'x',
      Buffer.from(signed).toString('base64url'),
      foreign,
      `${encrypted}=`,
      `${encrypted}AA`,
      ...changed,
    ]
    expect(forgeries.map((text) => addresses.sourceOf(text)).filter((source) => source !== null)).toEqual([])
  })

  it('is used by normalizeUrl for pictures of the network only', () => {
    const normalizeUrl = createNormalizeUrl('http://here.example', addresses.addressOf)
    expect({
      picture: normalizeUrl.picture(signed),
      ownFile: normalizeUrl.picture('http://here.example/sandbox/media/1.png?size=2'),
      foreign: normalizeUrl.picture('https://elsewhere.example/a.png'),
      script: normalizeUrl.picture('javascript:alert(1)'),
      none: normalizeUrl.picture(null),
      link: normalizeUrl(signed),
    }).toEqual({
      picture: own,
      ownFile: '/sandbox/media/1.png?size=2',
      foreign: 'https://elsewhere.example/a.png',
      script: null,
      none: null,
      link: signed,
    })
  })

  it('is used for image attachments only', () => {
    const normalizeUrl: NormalizeUrl = createNormalizeUrl('http://here.example', addresses.addressOf)
    const file = 'https://cdn.fbsbx.com/v/a.bin?oh=1&oe=7fffffff'
    const data = [
      {
        id: 'a1',
        mime_type: 'image/jpeg',
        name: 'photo.jpg',
        size: 10,
        image_data: { url: signed, preview_url: null },
      },
      { id: 'a2', mime_type: 'image/png', name: 'scan.png', size: 20, file_url: signed },
      { id: 'a3', mime_type: 'video/mp4', name: 'clip.mp4', size: 30, video_data: { url: file } },
      { id: 'a4', mime_type: 'audio/mpeg', name: 'voice.mp3', size: 40, file_url: file },
      { id: 'a5', mime_type: 'application/pdf', name: 'menu.pdf', size: 50, file_url: file },
    ]
    const answer = graphMessage.parse({ id: 'm1', created_time: '2026-07-23T09:50:48+0000', attachments: { data } })
    expect(readGraphMessage(answer, normalizeUrl)).toEqual({
      text: null,
      written: null,
      content: null,
      attachments: {
        data: [
          { id: 'a1', name: 'photo.jpg', size: 10, image_data: { url: own, preview_url: own } },
          { id: 'a2', name: 'scan.png', size: 20, image_data: { url: own, preview_url: own } },
          { id: 'a3', name: 'clip.mp4', size: 30, video_data: { url: file } },
          { id: 'a4', name: 'voice.mp3', size: 40, audio_data: { url: file } },
          { id: 'a5', name: 'menu.pdf', size: 50, file_data: { url: file } },
        ],
      },
    })
    const reader = createPartReader('m2', normalizeUrl)
    expect(partsOfWebhook([{ type: 'image', payload: { url: signed } }], new Date(), reader)).toEqual([])
    expect(reader.files).toEqual([
      { id: 'm2:0', name: 'a.jpg', size: null, image_data: { url: own, preview_url: own } },
    ])
  })
})

describe('createFetchPicture', () => {
  let trusted: Host
  let stranger: Host
  const requested: string[] = []
  const strangerRequests: string[] = []

  beforeAll(async () => {
    stranger = await openHost((request, response) => {
      strangerRequests.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    })
    trusted = await openHost((request, response) => {
      requested.push(request.url ?? '')
      const path = request.url ?? ''
      const redirect = (location: string) => response.writeHead(302, { location }).end()
      const send = (body: Uint8Array | string, type?: string) =>
        response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body)
      if (path === '/ok') return send(png, 'image/png; charset=binary')
      if (path === '/moved') return redirect('/ok')
      if (path === '/loop') return redirect('/loop')
      if (path === '/moved-3') return redirect('/moved-2')
      if (path === '/moved-2') return redirect('/moved')
      if (path === '/moved-4') return redirect('/moved-3')
      if (path === '/to-stranger') return redirect(`${stranger.origin}/ok`)
      if (path === '/to-metadata') return redirect('http://169.254.169.254/latest/meta-data')
      if (path === '/to-name') return redirect('https://pictures.fbcdn.net/a.png')
      if (path === '/to-file') return redirect('file:///etc/passwd')
      if (path === '/page') return send('<!doctype html>', 'text/html')
      if (path === '/disguised-page') return send('<!doctype html>', 'image/png')
      if (path === '/drawing') return send('<svg onload="alert(1)"/>', 'image/svg+xml')
      if (path === '/undeclared') return send(png)
      if (path === '/declared-large') {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '1001' })
        return response.end(Buffer.alloc(1001, png))
      }
      if (path === '/streamed-large') {
        response.writeHead(200, { 'content-type': 'image/png' })
        response.write(png)
        return response.end(Buffer.alloc(1000))
      }
      if (path === '/expired') return response.writeHead(403).end()
      if (path === '/broken') return response.writeHead(500).end()
      if (path === '/cut') {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '500' })
        response.write(png, () => response.destroy())
        return
      }
      if (path === '/silent') return
      return response.writeHead(404).end()
    })
  })
  afterAll(() => {
    trusted.close()
    stranger.close()
  })

  const outcomeOf = async (address: string, resolved: string[] = [], timeout?: number) => {
    const fetchPicture = createFetchPicture({
      trustedOrigins: [trusted.origin],
      maxBytes: 1000,
      ...(timeout === undefined ? {} : { timeout }),
      lookup: (_, __, answer) =>
        answer(
          null,
          resolved.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 })),
        ),
    })
    try {
      return await fetchPicture(address)
    } catch (error) {
      if (error instanceof FetchRefused) return error.fault
      throw error
    }
  }

  it.each(['/ok', '/moved', '/moved-3'])('returns the bytes and the type of %s', async (path) => {
    expect(await outcomeOf(`${trusted.origin}${path}`)).toEqual({ bytes: png, type: 'image/png' })
  })

  it.each([
    ['/moved-4', 'too many redirects'],
    ['/loop', 'too many redirects'],
    ['/to-stranger', 'source not allowed'],
    ['/to-metadata', 'source not allowed'],
    ['/to-file', 'source not allowed'],
    ['/page', 'not a picture'],
    ['/disguised-page', 'not a picture'],
    ['/drawing', 'not a picture'],
    ['/undeclared', 'not a picture'],
    ['/declared-large', 'too large'],
    ['/streamed-large', 'too large'],
    ['/expired', 'gone'],
    ['/nothing', 'gone'],
    ['/broken', 'no answer'],
    ['/cut', 'no answer'],
  ])('rejects %s: %s', async (path, fault) => {
    expect(await outcomeOf(`${trusted.origin}${path}`)).toBe(fault)
    expect(strangerRequests).toEqual([])
  })

  it('times out when the host does not respond', async () => {
    expect(await outcomeOf(`${trusted.origin}/silent`, [], 50)).toBe('no answer')
  })

  it.each([['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1'], ['::1'], ['157.240.1.1', '127.0.0.1']])(
    'rejects a redirect to an allowed name that resolves to %s',
    async (...resolved) => {
      expect(await outcomeOf(`${trusted.origin}/to-name`, resolved)).toBe('private address')
    },
  )

  it('does not request a source that is not allowed', async () => {
    expect(await outcomeOf(`${stranger.origin}/ok`)).toBe('source not allowed')
    expect(strangerRequests).toEqual([])
  })

  it('throws errors without the URL', () => {
    expect(new FetchRefused('gone').message).toBe('A file was not fetched: gone')
  })
})

describe('GET /pictures/:encrypted', () => {
  const now = Date.UTC(2026, 0, 15)
  const addresses = createPictureAddresses({ keyring, trustedOrigins: [] })
  const expired = 'https://platform-lookaside.fbsbx.com/platform/profilepic/?ext=1700000000'
  const ownOf = (source: string) => addresses.addressOf(new URL(source)) ?? ''
  let fetched: string[] = []
  let refreshed: string[] = []
  let warned: unknown[] = []
  let fault: FetchRefused | null = null
  let successor: string | null = null

  beforeEach(() => {
    fetched = []
    refreshed = []
    warned = []
    fault = null
    successor = null
  })

  const app = new Hono().route(
    '/pictures',
    createPictureRoutes({
      addresses,
      serveCopy: async () => null,
      fetchPicture: async (address) => {
        fetched.push(address)
        if (fault !== null) throw fault
        return { bytes: png, type: 'image/png' }
      },
      refresh: async (address) => {
        refreshed.push(address)
        return successor
      },
      clock: { now: () => now },
      logger: { warn: (...words: unknown[]) => void warned.push(words) },
    }),
  )
  const get = async (path: string) => {
    const response = await app.request(path)
    const { headers, status } = response
    const bytes = new Uint8Array(await response.arrayBuffer())
    return {
      status,
      type: headers.get('content-type'),
      cache: headers.get('cache-control'),
      to: headers.get('location'),
      bytes,
    }
  }
  const nothing = { type: null, cache: 'no-store', to: null, bytes: new Uint8Array() }

  it('serves the picture and lets the browser keep it', async () => {
    expect(await get(ownOf(signed))).toEqual({
      status: 200,
      type: 'image/png',
      cache: 'private, max-age=604800, immutable',
      to: null,
      bytes: png,
    })
    expect(fetched).toEqual([signed])
  })

  it('fetches nothing for a forged URL', async () => {
    expect(await get(`/pictures/${Buffer.from(signed).toString('base64url')}`)).toEqual({ status: 404, ...nothing })
    expect(fetched).toEqual([])
  })

  it('redirects an expired URL to its replacement without fetching the old source', async () => {
    successor = ownOf(signed)
    expect(await get(ownOf(expired))).toEqual({ status: 302, ...nothing, to: successor })
    expect({ fetched, refreshed }).toEqual({ fetched: [], refreshed: [ownOf(expired)] })
  })

  it('returns 410 for an expired URL without a replacement', async () => {
    expect(await get(ownOf(expired))).toEqual({ status: 410, ...nothing })
  })

  it('refreshes a picture that the host no longer has, also before it expires', async () => {
    fault = new FetchRefused('gone')
    successor = '/pictures/next'
    expect(await get(ownOf(signed))).toEqual({ status: 302, ...nothing, to: '/pictures/next' })
  })

  it('responds 502 to other failures, without the URL in the log', async () => {
    fault = new FetchRefused('too large')
    expect(await get(ownOf(signed))).toEqual({ status: 502, ...nothing })
    expect(warned).toEqual([[{ fault: 'too large' }, 'fetching a picture failed']])
  })
})

describeOnDatabase('createPictures', (open) => {
  const pageTokens = createPageTokens(keysOf(9))
  const addresses = createPictureAddresses({ keyring, trustedOrigins: [] })
  const ownOf = (source: string) => addresses.addressOf(new URL(source)) ?? ''
  const oldPicture = ownOf('https://scontent.xx.fbcdn.net/old.jpg?oh=1&oe=1')
  const fresh = 'https://scontent.xx.fbcdn.net/new.jpg?oh=1&oe=7fffffff'
  let db: Db
  let calls: string[] = []
  let pictureOnNetwork: string | null | GraphError = fresh
  let now = 0

  const makePictures = () =>
    createPictures({
      db,
      calls: createPageCalls({
        db,
        pageTokens,
        pace: createPace({ db, clock: systemClock }),
        clock: systemClock,
        logger: { warn: () => undefined },
        onTokenAccepted: () => undefined,
      }),
      normalizeUrl: createNormalizeUrl('http://here.example', addresses.addressOf),
      clock: { now: () => now },
      logger: { warn: () => undefined },
      graph: {
        person: async (token, psid, platform) => {
          calls.push(`${token} ${psid} ${platform}`)
          if (pictureOnNetwork instanceof GraphError) throw pictureOnNetwork
          return pictureOnNetwork === null ? {} : { profile_pic: pictureOnNetwork }
        },
        picture: async (token, pageId) => {
          calls.push(`${token} ${pageId}`)
          if (pictureOnNetwork instanceof GraphError) throw pictureOnNetwork
          return pictureOnNetwork
        },
      },
    })
  const pictureOf = async (id: string) =>
    (await db.selectFrom('fb_users').select('profile_pic').where('id', '=', id).executeTakeFirstOrThrow()).profile_pic

  beforeAll(async () => {
    db = (await open()).db
    await addPage(db, 'p1')
    await addPage(db, 'p2')
    for (const id of ['p1', 'p2']) {
      await db
        .updateTable('pages')
        .set({ page_access_token_encrypted: pageTokens.encrypt(id, `token-${id}`) })
        .where('page_id', '=', id)
        .execute()
    }
    await addIdentity(db, 'ana', { page: 'p1' })
    await addIdentity(db, 'ana-2', { page: 'p2', in: 'ana', platform: 'instagram' })
  })
  beforeEach(async () => {
    calls = []
    pictureOnNetwork = fresh
    now += 3_600_000
    await db.updateTable('fb_users').set({ profile_pic: oldPicture }).execute()
    await db.updateTable('pages').set({ page_profile_pic_url: null }).execute()
  })

  it('reads the picture with the token of the page of the identity, and stores its own address', async () => {
    const pictures = makePictures()
    expect(await pictures.refreshPerson('ana-2')).toBe(ownOf(fresh))
    expect(calls).toEqual(['token-p2 psid-ana-2 instagram'])
    expect([await pictureOf('ana-2'), await pictureOf('ana')]).toEqual([ownOf(fresh), oldPicture])
  })

  it('accepts a primary user id, and returns undefined for an unknown id', async () => {
    const pictures = makePictures()
    await pictures.refreshPerson('ana')
    expect(calls).toEqual(['token-p1 psid-ana messenger'])
    expect(await pictures.refreshPerson('nobody')).toBeUndefined()
  })

  it('keeps the stored picture when the network returns none', async () => {
    pictureOnNetwork = null
    expect(await makePictures().refreshPerson('ana')).toBe(oldPicture)
    expect(await pictureOf('ana')).toBe(oldPicture)
  })

  it('makes at most one call per minute', async () => {
    const pictures = makePictures()
    await Promise.all([pictures.refreshPerson('ana'), pictures.refreshPerson('ana')])
    now += 59_999
    await pictures.refreshPerson('ana')
    expect(calls).toHaveLength(1)
    now += 1
    await pictures.refreshPerson('ana')
    expect(calls).toHaveLength(2)
  })

  it('calls again after a failure', async () => {
    const pictures = makePictures()
    pictureOnNetwork = GraphError.unanswered('person', 'none')
    await expect(pictures.refreshPerson('ana')).rejects.toBe(pictureOnNetwork)
    pictureOnNetwork = fresh
    expect(await pictures.refreshPerson('ana')).toBe(ownOf(fresh))
  })

  it('finds the replacement of an expired address of a person', async () => {
    await db.updateTable('fb_users').set({ profile_pic: null }).where('id', '=', 'ana-2').execute()
    expect(await makePictures().refreshAddress(oldPicture)).toBe(ownOf(fresh))
    expect(await pictureOf('ana')).toBe(ownOf(fresh))
  })

  it('finds the replacement of an expired address of a page', async () => {
    await db.updateTable('fb_users').set({ profile_pic: null }).execute()
    await db.updateTable('pages').set({ page_profile_pic_url: oldPicture }).where('page_id', '=', 'p2').execute()
    expect(await makePictures().refreshAddress(oldPicture)).toBe(ownOf(fresh))
    expect(calls).toEqual(['token-p2 p2'])
  })

  it('finds no replacement when the network returns the same picture or fails, or the address is unknown', async () => {
    await db
      .updateTable('fb_users')
      .set({ profile_pic: ownOf(fresh) })
      .execute()
    expect(await makePictures().refreshAddress(ownOf(fresh))).toBeNull()
    pictureOnNetwork = GraphError.unanswered('person', 'none')
    expect(await makePictures().refreshAddress(ownOf(fresh))).toBeNull()
    expect(await makePictures().refreshAddress('/pictures/unknown')).toBeNull()
  })
})
