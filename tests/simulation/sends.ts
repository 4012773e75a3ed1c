import { createHash } from 'node:crypto'
import type { ActorRefFrom } from 'xstate'
import { rowIdOf } from '../../src/domain/list/conversation-row.ts'
import { areReady, filesOf } from '../../src/domain/send/attached-files.ts'
import { partBytes } from '../../src/domain/send/file-limits.ts'
import { contentOf, fieldsOf, textOfTemplate } from '../../src/domain/send/message-templates.ts'
import { textOfCard } from '../../src/domain/send/product-card.ts'
import { isQuotable, quoteOf } from '../../src/domain/send/reply-target.ts'
import { selectRow } from '../../src/machines/list/records.ts'
import type { attachedFilesMachine } from '../../src/machines/send/attached-files.ts'
import { isAccepted } from '../../src/machines/send/outbox-selectors.ts'
import { selectConversationId, selectMessages } from '../../src/machines/thread/thread.ts'
import type { MessageTemplate, StructuredContent } from '../../src/schemas/structured-message.ts'
import type { Meant, Session } from './people.ts'

/** The name of a file that staff chose, by the SHA-256 of its content in hexadecimal form. Each file has a content of its own. */
export const chosenFiles = new Map<string, string>()

/** How each kind of file begins. The last is a voice note. */
const kinds = [
  { name: 'pdf', type: 'application/pdf', head: '%PDF-1.7' },
  { name: 'gif', type: 'image/gif', head: 'GIF89a' },
  { name: 'mp4', type: 'video/mp4', head: '\0\0\0\x18ftypmp42' },
  { name: 'wav', type: 'audio/wav', head: 'RIFF\x24\0\0\0WAVE' },
] as const

/** The templates of the sandbox's pages that can be filled in. */
const templates: readonly MessageTemplate[] = [
  {
    id: '1',
    name: 'order_ready',
    language: 'en',
    header: null,
    body: 'Hello {{1}}, your order {{2}} is ready. You can pick it up during our opening hours.',
    buttons: [],
  },
  {
    id: '2',
    name: 'payment_reminder',
    language: 'en',
    header: 'Payment for order {{order_id}}',
    body: 'Hello {{customer_name}}, an amount of {{amount}} is still open. Thank you for your order!',
    buttons: [],
  },
]

/** A file with this name. A large one arrives in two parts. */
function fileNamed(name: string, kind: (typeof kinds)[number], isLarge: boolean): File {
  const content = Buffer.alloc(isLarge ? partBytes + 1_000 : 200, `${name} `)
  content.write(kind.head, 0, 'latin1')
  chosenFiles.set(createHash('sha256').update(content).digest('hex'), name)
  return new File([content], `${name}.${kind.name}`, { type: kind.type })
}

/** What a message has beside its text, which contains the mark. */
function structureOf(mark: string, which: number): { text: string; structured: StructuredContent } {
  const template = templates[which % templates.length] as MessageTemplate
  const values = Object.fromEntries(fieldsOf(template).map(({ key }, index) => [key, index === 0 ? mark : 'Ana']))
  const content = contentOf(template, values)
  const card = { kind: 'card', title: `Card ${mark}`, subtitle: '₱450.00' } as const
  const all: readonly { text: string; structured: StructuredContent }[] = [
    { text: mark, structured: { kind: 'quickReplies', titles: ['Pickup', 'Delivery'] } },
    {
      text: mark,
      structured: {
        kind: 'buttons',
        buttons: [
          { title: 'Order', url: null },
          { title: 'Prices', url: 'https://shop.example/prices' },
        ],
      },
    },
    { text: textOfCard(card), structured: card },
    { text: textOfTemplate(template, content), structured: content },
  ]
  return all[Math.floor(which / 2) % all.length] as (typeof all)[number]
}

const nth = <Item>(items: readonly Item[], which: number): Item | undefined => items[which % Math.max(items.length, 1)]

/** The actor of the attached files; undefined until its code has loaded. */
const filesActor = ({ session }: Session): ActorRefFrom<typeof attachedFilesMachine> | undefined =>
  session.system.get('attachedFiles')

const openRow = ({ thread, records }: Session) => {
  const id = thread && selectConversationId(thread.getSnapshot())
  return selectRow(id ?? null)(records.getSnapshot())
}

type Choice = {
  /** From the page of the conversation's newest message. */
  page: boolean
  clicks: number
  /** Chooses one of the shown messages that the reply is to. */
  replyTo?: number | undefined
}
type Draft = { text: string; files?: readonly string[]; structured?: StructuredContent }

/** What staff send in the open conversation. `add` remembers each message that the outbox accepted. */
export function createSends(
  act: (label: string, work: (parts: Session) => void) => void,
  add: (meant: Pick<Meant, 'key' | 'text' | 'conversationId' | 'author'>) => void,
  onTwice: (detail: string) => void,
) {
  /** Returns whether the outbox accepted the draft. */
  function send(parts: Session, mark: string, { text, structured }: Draft, { page, clicks, replyTo }: Choice): boolean {
    const row = openRow(parts)
    if (!row) return false
    const { thread, outbox } = parts
    const id = rowIdOf(row)
    const quotable = replyTo === undefined || !thread ? [] : selectMessages(thread.getSnapshot()).filter(isQuotable)
    const original = nth(quotable, replyTo ?? 0)
    const platform = row.platform ?? null
    const attached = filesOf(filesActor(parts)?.getSnapshot().context.files ?? [], id)
    // As the composer: files that are not ready hold the message back, and a card or a template goes without files.
    const takesFiles = structured === undefined && attached.length > 0 && areReady(attached, platform)
    const uploads = takesFiles ? attached.flatMap(({ uploaded }) => uploaded ?? []) : []
    const outgoing = () => outbox.getSnapshot().context.outgoing
    const before = new Set(outgoing().map(({ key }) => key))
    for (let click = 0; click < clicks; click++) {
      outbox.send({
        type: 'send.requested',
        draftId: mark,
        conversationId: id,
        pageId: original?.page_id ?? (page || structured?.kind === 'template' ? (row.page_id ?? null) : null),
        platform,
        text,
        files: uploads,
        structured: structured ?? null,
        replyTo: original && quoteOf(original),
      })
    }
    const isTaken = isAccepted(outbox.getSnapshot(), mark)
    if (isTaken && uploads.length > 0)
      filesActor(parts)?.send({ type: 'files.taken', ids: attached.map((file) => file.id) })
    const added = outgoing().filter(({ key }) => !before.has(key))
    if (added.length > uploads.length + (text === '' ? 0 : 1)) onTwice(`${mark} became ${added.length}`)
    for (const { key, file } of added) {
      const name = file?.name?.replace(/\.\w+$/, '')
      add({ key, text: name ?? mark, conversationId: id, author: parts.user.email })
    }
    return isTaken
  }

  return {
    write: (mark: string, choice: Choice) => act('writes', (parts) => void send(parts, mark, { text: mark }, choice)),

    /** Sends quick replies, buttons, a product card or a template. */
    writeStructured: (mark: string, which: number) =>
      act('sends a structure', (parts) => {
        const row = openRow(parts)
        const { text, structured } = structureOf(mark, which)
        if (structured.kind === 'template' && row?.platform !== 'messenger') return
        send(parts, mark, { text, structured }, { page: which % 3 === 0, clicks: 1 })
      }),

    /** Chooses one to three files for the open conversation. */
    attach: (mark: string, which: number) =>
      act('attaches files', (parts) => {
        const row = openRow(parts)
        if (!row) return
        const files = Array.from({ length: 1 + (which % 3) }, (_, index) => {
          const kind = kinds[(which + index) % kinds.length] as (typeof kinds)[number]
          return fileNamed(`${mark}-${index}`, kind, which % 8 === 5 && index === 0)
        })
        const platform = row.platform ?? null
        filesActor(parts)?.send({ type: 'files.chosen', conversationId: rowIdOf(row), platform, files })
      }),

    /** Sends the attached files, alone or with a text. What is refused is removed, what has failed is tried again. */
    sendFiles: (mark: string, which: number) =>
      act('sends files', (parts) => {
        const row = openRow(parts)
        const actor = filesActor(parts)
        if (!row || actor === undefined) return
        const files = filesOf(actor.getSnapshot().context.files, rowIdOf(row))
        for (const { id, status } of files) {
          if (status === 'refused') actor.send({ type: 'file.removed', id })
          if (status === 'failed') actor.send({ type: 'file.retried', id })
        }
        const text = which % 2 === 0 ? '' : mark
        send(parts, mark, { text }, { page: which % 3 === 0, clicks: 1 + (which % 2) })
      }),

    /** Removes one of the attached files, or moves it. */
    changeFiles: (which: number) =>
      act('changes files', (parts) => {
        const row = openRow(parts)
        const actor = filesActor(parts)
        if (!row || actor === undefined) return
        const file = nth(filesOf(actor.getSnapshot().context.files, rowIdOf(row)), which)
        if (file === undefined) return
        if (which % 2 === 0) actor.send({ type: 'file.removed', id: file.id })
        else actor.send({ type: 'file.moved', id: file.id, by: which % 4 === 1 ? 1 : -1 })
      }),

    /** Types in the composer without sending. */
    type: (text: string) =>
      act('types', ({ session }) => session.system.get('laterParts')?.send({ type: 'reply.typed', text })),
  }
}
