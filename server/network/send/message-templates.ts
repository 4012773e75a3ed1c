import { textOfTemplate } from '../../../src/domain/send/message-templates.ts'
import type { MessageTemplate, StructuredContent } from '../../../src/schemas/structured-message.ts'
import { cleanText } from '../../clean-text.ts'
import type { Clock } from '../../clock.ts'
import type { Graph } from '../graph/graph.ts'
import type { GraphTemplate } from '../graph/graph-shapes.ts'
import type { PageCalls } from '../graph/page-calls.ts'

/** How long a read list is used. Milliseconds. */
const keptFor = 60_000

export type MessageTemplates = ReturnType<typeof createMessageTemplates>

/** The approved utility templates of the pages (feature 'message-templates'). */
export function createMessageTemplates({
  graph,
  calls,
  clock,
}: {
  graph: Pick<Graph, 'templates'>
  calls: Pick<PageCalls, 'call'>
  clock: Pick<Clock, 'now'>
}) {
  const recent = new Map<string, { at: number; list: Promise<MessageTemplate[]> }>()

  /** Calls within `keptFor` share one list. Throws GraphError and PageUnusable. */
  function list(pageId: string): Promise<MessageTemplate[]> {
    const now = clock.now()
    for (const [other, { at }] of recent) if (now - at >= keptFor) recent.delete(other)
    const known = recent.get(pageId)
    if (known !== undefined) return known.list
    const list = calls
      .call(pageId, { paced: false }, (token) => graph.templates(token, pageId))
      .then((rows) => rows.flatMap((row) => shown(row) ?? []).toSorted(byName))
    recent.set(pageId, { at: now, list })
    list.catch(() => recent.delete(pageId))
    return list
  }

  return {
    list,

    /** Whether the page has the template, and the text is the one that the network will show. Throws as `list`. */
    async matches(pageId: string, content: Extract<StructuredContent, { kind: 'template' }>, text: string) {
      const template = (await list(pageId)).find(
        ({ name, language }) => name === content.name && language === content.language,
      )
      return template !== undefined && textOfTemplate(template, content) === text
    },
  }
}

const byName = (one: MessageTemplate, other: MessageTemplate) =>
  one.name.localeCompare(other.name) || one.language.localeCompare(other.language)

const hasPlaceholder = (text: string | null | undefined) => /\{\{/.test(text ?? '')

/**
 * A template as staff fill it in; null if it is not approved, or needs more than texts: a picture in its header, or a value
 * in a button.
 */
function shown({ id, name, language, category, status, components }: GraphTemplate): MessageTemplate | null {
  if (status !== 'APPROVED' || (category != null && category !== 'UTILITY')) return null
  const part = (type: string) => components.find((component) => component.type.toUpperCase() === type)
  const header = part('HEADER')
  const body = part('BODY')?.text
  if (!body || (header !== undefined && (header.format?.toUpperCase() !== 'TEXT' || !header.text))) return null
  const buttons = part('BUTTONS')?.buttons ?? []
  if (buttons.some(({ url, payload }) => hasPlaceholder(url) || hasPlaceholder(payload))) return null
  return {
    id,
    name,
    language,
    header: header?.text ? cleanText(header.text) : null,
    body: cleanText(body),
    buttons: buttons.map(({ text, url }) => ({ title: text ?? '', url: url ?? null })),
  }
}
