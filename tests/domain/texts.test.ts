import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { screenModules } from '../../scripts/screens.ts'
import { customerLanguages } from '../../src/schemas/customer-language.ts'
import { catalogue } from '../../src/texts/catalogue.ts'
import { locale } from '../../src/texts/locale.ts'
import { loadedWith } from '../loaded-with.ts'

/** Attributes and props of views that staff read or a screen reader speaks. */
const textAttributes = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'confirm',
  'containerAriaLabel',
  'empty',
  'error',
  'blockedReason',
  'label',
  'note',
  'part',
  'placeholder',
  'question',
  'submit',
  'title',
])

/** Sentences that staff do not read in the product, with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/domain/session/provider-refusals.ts': 'messages of the identity provider, which are compared',
  'src/domain/shell/migration-failures.ts': 'messages of the identity provider, which are compared',
  'src/views/session/ImportExamples.tsx': 'commands for a shell',
  Alt: 'the name on a key',
  'Alt+{}': 'the name on a key',
  'Control+A': 'the names on keys',
  'Meta+A': 'the names on keys',
  Enter: 'the name on a key',
  Esc: 'the name on a key',
  Shift: 'the name on a key',
  'Email not confirmed': 'a message of the identity provider, which is compared',
}

type Node = { type: string; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `see` for each node with the nodes around it, the nearest last. Types and imports are left out. */
function walk(node: unknown, see: (node: Node, around: readonly Node[]) => void, around: readonly Node[] = []): void {
  if (Array.isArray(node)) for (const one of node) walk(one, see, around)
  if (!isNode(node)) return
  if (node.type === 'ImportDeclaration' || /^TS(?!As|Satisfies|NonNull)/.test(node.type)) return
  see(node, around)
  for (const child of Object.values(node)) if (typeof child === 'object') walk(child, see, [...around, node])
}

const programs = new Map<string, Node>()
const programOf = (file: string): Node => {
  const known = programs.get(file) ?? (parseSync(file, readFileSync(file, 'utf8')).program as unknown as Node)
  programs.set(file, known)
  return known
}

const letters = /\p{L}/u
const sentence = /^\p{Lu}\p{Ll}.* .*\p{L}/su
const word = /^\p{Lu}\p{Ll}/u

const literalOf = (node: unknown): string | null => {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type !== 'TemplateLiteral') return null
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

function literalsIn(program: Node): string[] {
  const found: string[] = []
  walk(program, (node) => {
    const text = literalOf(node)
    if (text !== null) found.push(text)
  })
  return found
}

/** Whether an element shows the value of a node, as content or as an attribute, directly or through conditions. */
function isShown(around: readonly Node[]): boolean {
  const chain = around.toReversed()
  const at = chain.findIndex(({ type }) => type !== 'ConditionalExpression' && type !== 'LogicalExpression')
  const [holder, owner] = [chain[at], chain[at + 1]]
  if (holder?.type === 'JSXAttribute') return isTextAttribute(holder)
  if (holder?.type !== 'JSXExpressionContainer') return false
  return (
    owner?.type === 'JSXElement' || owner?.type === 'JSXFragment' || (owner !== undefined && isTextAttribute(owner))
  )
}

const isTextAttribute = ({ type, name }: Node): boolean =>
  type === 'JSXAttribute' && isNode(name) && textAttributes.has(String(name['name']))

/** The literals in a program that staff read. In a view, one capitalised word is enough. */
function textsIn(program: Node, inView = true): string[] {
  const found: string[] = []
  walk(program, (node, around) => {
    if (node.type === 'JSXText' && letters.test(String(node['value']))) found.push(String(node['value']).trim())
    const text = literalOf(node)
    if (text === null || text in allowed) return
    const parent = around.at(-1)
    const isCompared = /^(BinaryExpression|SwitchCase|NewExpression)$/.test(parent?.type ?? '')
    const isId = /^[a-z]+\.\w+$/.test(text)
    const isWord = inView && parent?.type !== 'CallExpression' && word.test(text)
    const isText = sentence.test(text) || isWord || (letters.test(text.replaceAll('{}', '')) && isShown(around))
    if (isText && !isCompared && !isId) found.push(text)
  })
  return found
}

const sources = (pattern: string[]) => globSync(pattern).map((file) => file.split(sep).join('/'))
const withTexts = sources(['src/{views,domain,machines,dialogs}/**/*.{ts,tsx}'])
const folders = readdirSync('src/texts', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'customers' ? entry.name : [],
)

/** All messages of a language by id, with the catalogue of each. */
function messagesOf(language: string): Record<string, { file: string; message: string }> {
  return Object.fromEntries(
    globSync(`src/texts/${language}/*.json`).flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).map(([id, message]) => [
        id,
        { file: basename(file, '.json'), message },
      ]),
    ),
  )
}
const messages = messagesOf(locale)

/** The placeholder names in a message. */
function placeholdersOf(message: string): string[] {
  const names = new Set<string>()
  const read = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      names.add(String(token[0]))
      if (typeof token[2] === 'object' && token[2] !== null) for (const part of Object.values(token[2])) read(part)
    }
  }
  read(compileMessageOrThrow(message))
  return [...names].sort()
}

/** The errors in the placeholder values of the message lookups in a program. */
function wrongValuesIn(program: Node): string[] {
  const wrong: string[] = []
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return
    const [first, values] = node['arguments'] as Node[]
    const ids = first?.type === 'ConditionalExpression' ? [first['consequent'], first['alternate']] : [first]
    for (const id of ids.map(literalOf)) {
      const known = id === null ? undefined : messages[id]
      if (known === undefined) continue
      const properties = (values?.type === 'ObjectExpression' ? values['properties'] : []) as Node[]
      const given = properties.flatMap(({ key }) => (isNode(key) ? String(key['name']) : []))
      const isOpen =
        properties.some(({ type }) => type === 'SpreadElement') || (values && values.type !== 'ObjectExpression')
      const expected = placeholdersOf(known.message)
      const isRight = isOpen
        ? given.every((name) => expected.includes(name))
        : // If a condition chooses between two messages, the other one may need more values.
          expected.every((name) => given.includes(name)) && (ids.length > 1 || given.length === expected.length)
      if (!isRight) wrong.push(`${id} is given ${given.join(', ')} and needs ${expected.join(', ')}`)
    }
  })
  return wrong
}

describe('The texts for staff', () => {
  test('are written only in the catalogues', () => {
    const outside = withTexts.flatMap((file) =>
      file in allowed ? [] : textsIn(programOf(file), file.startsWith('src/views/')).map((text) => `${file}: ${text}`),
    )
    expect(outside).toEqual([])
  })

  test('are all used', () => {
    const named = new Set(withTexts.flatMap((file) => literalsIn(programOf(file))))
    expect(Object.keys(messages).length).toBeGreaterThan(400)
    expect(Object.keys(messages).filter((id) => !named.has(id))).toEqual([])
  })

  test('get the values that their messages need', () => {
    expect(withTexts.flatMap((file) => wrongValuesIn(programOf(file)).map((text) => `${file}: ${text}`))).toEqual([])
  })

  test('have ids that begin with the room of their catalogue', () => {
    const roomOf = (file: string) => file.replace(/-on-demand$/, '')
    expect(Object.entries(messages).filter(([id, { file }]) => !id.startsWith(`${roomOf(file)}.`))).toEqual([])
  })

  test('load with a screen only if the screen shows them; the others are in <room>-on-demand.json', () => {
    const early = loadedWith(['src/main.tsx', ...Object.values(screenModules).flat()])
    expect([...early].filter((file) => file.startsWith('src/texts/') && file.includes('-on-demand'))).toEqual([])
    // The entries of dialogs use titles and load them with their dialogs.
    const files = withTexts.filter((file) => early.has(file) && !file.startsWith('src/dialogs/'))
    const named = new Set(files.flatMap((file) => literalsIn(programOf(file))))
    const ofRooms = Object.entries(messages).filter(([, { file }]) => !file.endsWith('-on-demand'))
    expect(ofRooms.length).toBeGreaterThan(100)
    expect(ofRooms.filter(([id]) => !named.has(id)).map(([id]) => id)).toEqual([])
  })

  test.each(folders)('are complete in the language %s, with the same placeholders', (language) => {
    const shape = (of: string) =>
      Object.fromEntries(
        Object.entries(messagesOf(of)).map(([id, { file, message }]) => [id, [file, ...placeholdersOf(message)]]),
      )
    expect(shape(language)).toEqual(shape(locale))
  })

  test('insert a name from outside unchanged, even if it looks like code', () => {
    const t = catalogue({
      'example.name': 'Hello {name}',
      'example.count': '{n, plural, one {# page} other {# pages}}',
    })
    expect(t('example.name', { name: '\\u202e {name} \\x41 {n, plural, other {#}}' })).toBe(
      'Hello \\u202e {name} \\x41 {n, plural, other {#}}',
    )
    expect([0, 1, 1_000].map((n) => t('example.count', { n }))).toEqual(['0 pages', '1 page', '1,000 pages'])
  })

  test('are reported if they are outside the catalogues', () => {
    const program = (source: string) => parseSync('a.tsx', source).program as unknown as Node
    const found = (source: string) => textsIn(program(source))
    expect(found('const a = <p>Hello</p>')).toEqual(['Hello'])
    expect(found('const a = <B label="Hello" className="hello" />')).toEqual(['Hello'])
    expect(found("const a = <B label={is ? 'Yes' : t('shared.no')} />")).toEqual(['Yes'])
    expect(found("const a = <p>{is && 'yes'}</p>")).toEqual(['yes'])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source is to have them
    expect(found('const a = <p title={`Edit ${name}`}>{`${n} new`}</p>')).toEqual(['Edit {}', '{} new'])
    expect(found("const problem = 'Enter a name.'")).toEqual(['Enter a name.'])
    expect(found("const a = <p id={'x'}>{f('Enter', id)}{name}</p>; if (a === 'Email not known') b()")).toEqual([])
    expect(
      wrongValuesIn(program("t('shared.edit'); t('shared.edit', { name, more }); t('shared.edit', { name })")),
    ).toEqual(['shared.edit is given  and needs name', 'shared.edit is given name, more and needs name'])
  })
})

describe('The texts for customers', () => {
  const catalogueOf = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(`src/texts/customers/${language}.json`, 'utf8'))

  test('are complete in each language, with the same placeholders', () => {
    const shape = (language: string) =>
      Object.fromEntries(Object.entries(catalogueOf(language)).map(([id, message]) => [id, placeholdersOf(message)]))
    expect(
      globSync('src/texts/customers/*.json')
        .map((file) => basename(file, '.json'))
        .sort(),
    ).toEqual([...customerLanguages])
    for (const language of customerLanguages) expect(shape(language)).toEqual(shape('en'))
  })

  test('are all used', () => {
    const named = new Set(literalsIn(programOf('src/domain/client/summaries.ts')))
    expect(Object.keys(catalogueOf('en')).filter((id) => !named.has(id))).toEqual([])
  })
})
