import axe from 'axe-core'
import { expect } from 'vitest'

/**
 * Checks an element with axe, and compares its topmost dialog, or all of it if none is open, with the description that is
 * stored beside the test file: elements, names, texts, values and the focus, also of what a style sheet would hide.
 * CONTRIBUTING says how to store a changed one.
 */
export async function expectScreen(root: Element = document.body, ignoredRules: readonly string[] = []): Promise<void> {
  await expectAccessible(root, ignoredRules)
  expect([...linesOf(topOf(root))].join('\n')).toMatchSnapshot()
}

/** The topmost dialog; the element itself if none is open. */
const topOf = (root: Element): Element => [...root.querySelectorAll('[role$=dialog]')].at(-1) ?? root

/** Checks an element with axe. Colours need a real browser; there landmarks are checked too (`tests/e2e/look.ts`). */
export async function expectAccessible(
  root: Element = document.body,
  ignoredRules: readonly string[] = [],
): Promise<void> {
  const off = ['color-contrast', 'region', ...ignoredRules].map((rule) => [rule, { enabled: false }])
  const { violations } = await axe.run(root, { rules: Object.fromEntries(off) })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

const skipped = 'script, style, svg, [data-base-ui-focus-guard]'
const boxes = new Set(['DIV', 'SPAN', 'BDI'])
const shownAttributes =
  /^(role|title|alt|placeholder|type|href|src|hidden|disabled|tabindex|inert|multiple|required|download|aria-.+)$/
/** They name other elements by ids, which differ from run to run. */
const references = new Set(['aria-labelledby', 'aria-describedby', 'aria-activedescendant'])
const unshownReferences = new Set(['aria-controls', 'aria-owns', 'aria-details'])

/** A line for each element that is more than a box around others, indented by depth: its tag, what it tells, its text. */
function* linesOf(node: Element, depth = 0): Generator<string> {
  if (node.matches(skipped)) return
  const facts = factsOf(node)
  const isBox = boxes.has(node.tagName) && facts.length === 0
  if (!isBox) yield `${'  '.repeat(depth)}${[node.tagName.toLowerCase(), ...facts].join(' ')}`
  const inner = isBox ? depth : depth + 1
  // Its text depends on the time of the run.
  if (node.tagName === 'TIME') return
  for (const child of node.childNodes) {
    if (child instanceof Element) yield* linesOf(child, inner)
    else if (child instanceof Text && child.data.trim() !== '') yield `${'  '.repeat(inner)}"${textOf(child)}"`
  }
}

const weekday = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? '
const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const clock = '\\d{1,2}:\\d{2} [AP]M'
/** Dates and times of day, in English, which differ from run to run. */
const moments = new RegExp(
  `\\b(?:${weekday})?(?:${month} \\d{1,2}\\b(?:, \\d{4})?(?:(?:,| at)? ${clock})?|${clock})`,
  'g',
)

/** An invisible character, which makes a repeated announcement a new one for screen readers. */
const announcementMark = '\u2060'

/** The text without what differs from run to run. */
const comparable = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(announcementMark, '').trim().replaceAll(moments, '(moment)')
const textOf = ({ textContent }: Node): string => comparable(textContent ?? '')

function factsOf(node: Element): string[] {
  const attributes = [...node.attributes]
    .filter(({ name }) => shownAttributes.test(name) && !unshownReferences.has(name))
    .filter(({ name }) => !(name === 'title' && node.tagName === 'TIME'))
    .map(({ name, value }) => `${name}=${JSON.stringify(references.has(name) ? textsOf(value) : comparable(value))}`)
    .toSorted()
  return [...attributes, ...stateOf(node), ...(node === document.activeElement ? ['focused'] : [])]
}

const textsOf = (ids: string): string =>
  ids
    .split(' ')
    .map((id) => {
      const element = document.getElementById(id)
      if (element === null) throw new Error(`The element ${id}, which a reference names, is missing`)
      const copy = element.cloneNode(true) as Element
      for (const time of copy.querySelectorAll('time')) time.replaceWith('time')
      return element.tagName === 'TIME' ? 'time' : textOf(copy)
    })
    .join(' | ')

function stateOf(node: Element): string[] {
  if (node instanceof HTMLInputElement && ['checkbox', 'radio'].includes(node.type))
    return node.checked ? ['checked'] : []
  if (node instanceof HTMLSelectElement) {
    return [...node.selectedOptions].map((option) => `chosen=${JSON.stringify(textOf(option))}`)
  }
  if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
    return node.value === '' ? [] : [`value=${JSON.stringify(comparable(node.value))}`]
  }
  return node instanceof HTMLDetailsElement && node.open ? ['open'] : []
}
