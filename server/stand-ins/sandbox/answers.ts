import { type Fields, pickFields } from './fields.ts'
import type { SandboxFile } from './media.ts'
import type { SandboxMessage, SandboxNetwork, SandboxPage, SandboxPerson } from './network.ts'
import { refusals } from './refusals.ts'
import { isSentSticker } from './templates.ts'
import { describeThing } from './things.ts'

/** The number of messages of a conversation that the network still returns. */
export const maxReadableMessages = 20

/** The answers of the sandbox's Graph API, in the network's shapes. `urlOf` gives the address of a picture or file. */
export function createAnswers({ urlOf }: Pick<SandboxNetwork, 'urlOf'>) {
  /** A conversation, with its newest messages first. */
  function conversationAnswer(page: SandboxPage, person: SandboxPerson, messages: SandboxMessage[], fields: Fields) {
    const limit = Math.min(fields.get('messages')?.limit ?? maxReadableMessages, maxReadableMessages)
    const [own, other] = [participant(page, person, true), participant(page, person, false)]
    const newest = messages[0]
    const answer = {
      id: person.conversation_id,
      ...(newest ? { updated_time: graphTime(newest.created_at), snippet: newest.text ?? '' } : {}),
      message_count: messages.length,
      participants: { data: [other, own] },
      messages: {
        data: messages.slice(0, limit).map((message) => messageAnswer(page, person, message)),
        ...(messages.length > 0 ? { paging: { cursors: { before: writeCursor(0), after: writeCursor(limit) } } } : {}),
      },
    }
    return pickFields(answer, fields)
  }

  function participant(page: SandboxPage, person: SandboxPerson, isPage: boolean) {
    if (person.platform === 'instagram') {
      return isPage
        ? { id: page.instagram_id ?? page.page_id, username: page.instagram_username ?? page.username }
        : { id: person.psid, username: person.username }
    }
    const [participantId, name] = isPage
      ? [page.page_id, page.name]
      : [person.psid, person.profile_readable ? `${person.first_name} ${person.last_name}` : 'Facebook User']
    return { name, email: `${participantId}@facebook.com`, id: participantId }
  }

  function messageAnswer(page: SandboxPage, person: SandboxPerson, message: SandboxMessage) {
    return {
      id: message.mid,
      created_time: graphTime(message.created_at),
      from: participant(page, person, message.from_page),
      to: { data: [participant(page, person, !message.from_page)] },
      message: message.text ?? '',
      ...(isSentSticker(message.structure) ? { sticker: urlOf('pages/1.png') } : {}),
      ...(message.thing && describeThing(message.thing, message.mid, urlOf).graph),
      ...(message.files.length === 0
        ? {}
        : {
            attachments: {
              data: message.files.map((file, index) => attachmentAnswer(person, message, file, index)),
              paging: { cursors: { before: writeCursor(0), after: writeCursor(0) } },
            },
          }),
    }
  }

  function attachmentAnswer(person: SandboxPerson, message: SandboxMessage, file: SandboxFile, index: number) {
    const url = urlOf(file.path)
    const common =
      person.platform === 'instagram'
        ? { id: `${message.seq}${index}` }
        : { id: `${message.seq}${index}`, mime_type: file.mimeType, name: file.name, size: file.size }
    if (file.kind === 'image') {
      const size = { width: 320, height: 240, max_width: 320, max_height: 240 }
      return { ...common, image_data: { ...size, url, preview_url: url, image_type: 1, render_as_sticker: false } }
    }
    if (file.kind === 'video') {
      return {
        ...common,
        video_data: { width: 320, height: 180, length: 2, video_type: 1, url, preview_url: url, rotation: 0 },
      }
    }
    return person.platform === 'instagram'
      ? { ...common, mime_type: file.mimeType, file_url: url }
      : { ...common, file_url: url }
  }

  function profileAnswer(person: SandboxPerson, fields: Fields) {
    if (!person.profile_readable) return {}
    const answer = {
      id: person.psid,
      name: `${person.first_name} ${person.last_name}`,
      first_name: person.first_name,
      last_name: person.last_name,
      username: person.platform === 'instagram' ? person.username : undefined,
      profile_pic: urlOf(`people/${person.picture_seed}.png`),
    }
    return pickFields(answer, fields)
  }

  return { conversationAnswer, messageAnswer, profileAnswer }
}

/** `2021-07-23T09:50:48+0000` */
const graphTime = (moment: Date) => moment.toISOString().replace(/\.\d{3}Z$/, '+0000')

export const writeCursor = (offset: number) => Buffer.from(`at:${offset}`).toString('base64url')

export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  const [, offset] = /^at:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset === undefined) throw refusals.badParameter('Invalid cursor')
  return Number(offset)
}

export function nextAddress(address: string, offset: number): string {
  const next = new URL(address)
  next.searchParams.delete('access_token')
  next.searchParams.delete('appsecret_proof')
  next.searchParams.set('after', writeCursor(offset))
  return next.toString()
}
