import { createHmac } from 'node:crypto'
import type { Alarm } from '../../src/schemas/alarm.ts'
import type { Mail } from '../mail/mail.ts'
import type { Settings } from '../settings.ts'

const webhookTimeout = 10_000

export type Announcement = {
  event: 'started' | 'ended'
  kind: Alarm['kind'] | 'database'
  subject: string
  text: string
  /** ISO 8601. */
  startedAt: string
  endedAt: string | null
}

/** Notifies the operators. Throws if one of the ways failed. A retry in this process repeats only the ways that failed. */
export type Announce = (announcement: Announcement) => Promise<void>

/** Announcements of which a part is remembered, so that a way that fails for ever does not fill the memory. */
const maxRemembered = 1_000

/** Announces by every way that is configured: email and a signed webhook. */
export function createAnnounce({
  mail,
  emails,
  webhook,
}: {
  mail: Mail | undefined
  emails: string[]
  webhook: Settings['alarms']['webhook']
}): Announce {
  const ways: Announce[] = []
  if (mail !== undefined && emails.length > 0) {
    ways.push((announcement) => mail.send({ to: emails, ...messageOf(announcement) }))
  }
  if (webhook !== undefined) ways.push((announcement) => post(webhook, announcement))
  /** The ways that took an announcement while another way failed. */
  const taken = new Map<string, ReadonlySet<Announce>>()

  return async (announcement) => {
    const { event, kind, subject, startedAt } = announcement
    const id = JSON.stringify([event, kind, subject, startedAt])
    const earlier = taken.get(id)
    taken.delete(id)
    const left = ways.filter((way) => !earlier?.has(way))
    const results = await Promise.allSettled(left.map((way) => way(announcement)))
    const failure = results.find((result) => result.status === 'rejected')
    if (failure === undefined) return
    const failed = new Set(left.filter((_, index) => results[index]?.status === 'rejected'))
    taken.set(id, new Set(ways.filter((way) => !failed.has(way))))
    const [oldest] = taken.keys()
    if (oldest !== undefined && taken.size > maxRemembered) taken.delete(oldest)
    throw failure.reason
  }
}

function messageOf({ event, text, startedAt, endedAt }: Announcement): { subject: string; text: string } {
  const [sentence = ''] = text.split(/(?<=[.:]) /)
  const times = endedAt === null ? `Since ${startedAt}.` : `From ${startedAt} to ${endedAt}.`
  return event === 'started'
    ? { subject: `Staff Inbox: ${sentence.replace(/[.:]$/, '')}`, text: `${text}\n\n${times}\n` }
    : { subject: `Staff Inbox, ended: ${sentence.replace(/[.:]$/, '')}`, text: `This has ended: ${text}\n\n${times}\n` }
}

/** Posts the announcement as JSON. The header has the HMAC-SHA256 of the body, as in the network's own webhooks. */
async function post({ url, secret }: { url: string; secret: string }, announcement: Announcement): Promise<void> {
  const body = JSON.stringify(announcement)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(webhookTimeout),
  })
  await response.body?.cancel()
  if (!response.ok) throw Object.assign(new Error('the webhook was refused'), { code: `HTTP_${response.status}` })
}
