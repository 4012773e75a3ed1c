import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path/posix'
import { parseSync } from 'vite'

/** A call in src/services: its path, with {} for each parameter, and the function that makes the call. */
export type CallSite = { call: string; from: string; file: string }

type Node = { type: string } & Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const nodeIn = (node: Node, key: string): Node | undefined => {
  const child = node[key]
  return isNode(child) ? child : undefined
}
const nodesIn = (node: Node, key: string): Node[] => [node[key]].flat().filter(isNode)
const nameOf = (node: Node | undefined): string | undefined =>
  typeof node?.['name'] === 'string' ? node['name'] : undefined
const isFunction = ({ type }: Node) => type.endsWith('FunctionExpression') || type === 'FunctionDeclaration'

/** The value of the constant that a name refers to. */
function constantOf(name: string | undefined, way: readonly Node[]): Node | undefined {
  for (const scope of way.toReversed()) {
    const statements = Array.isArray(scope['body']) ? nodesIn(scope, 'body') : []
    const constants = statements.flatMap((one) => nodesIn(nodeIn(one, 'declaration') ?? one, 'declarations'))
    const found = constants.find((one) => nameOf(nodeIn(one, 'id')) === name)
    if (found) return nodeIn(found, 'init')
  }
  return undefined
}

const everyPair = (before: readonly string[], after: readonly string[]) =>
  before.flatMap((start) => after.map((end) => start + end))

/** All possible values of the expression. {} stands for a part known only at run time. */
function textsOf(node: Node | undefined, way: readonly Node[]): string[] {
  switch (node?.type) {
    case 'Literal':
      return [String(node['value'])]
    case 'TemplateLiteral': {
      const values = nodesIn(node, 'expressions').map((one) => textsOf(one, way))
      return nodesIn(node, 'quasis').reduce<string[]>(
        (texts, { value }, index) => {
          const { cooked } = value as { cooked: string }
          return everyPair(everyPair(texts, [cooked]), values[index] ?? [''])
        },
        [''],
      )
    }
    case 'Identifier': {
      const value = constantOf(nameOf(node), way)
      return value ? textsOf(value, way) : ['{}']
    }
    case 'CallExpression': {
      const called = constantOf(nameOf(nodeIn(node, 'callee')), way)
      return called && isFunction(called) ? textsOf(nodeIn(called, 'body'), way) : ['{}']
    }
    case 'MemberExpression': {
      const table = constantOf(nameOf(nodeIn(node, 'object')), way)
      if (table?.type !== 'ObjectExpression') return ['{}']
      return nodesIn(table, 'properties').flatMap((one) => textsOf(nodeIn(one, 'value'), way))
    }
    default:
      return ['{}']
  }
}

/** The innermost named function around a node. */
function makerOf(way: readonly Node[]): string {
  for (const [index, node] of [...way.entries()].toReversed()) {
    if (!isFunction(node)) continue
    const owner = way[index - 1]
    const name = nameOf(nodeIn(node, 'id')) ?? nameOf(owner && (nodeIn(owner, 'key') ?? nodeIn(owner, 'id')))
    if (name !== undefined) return name
  }
  return 'the module'
}

const methods = ['get', 'post', 'put', 'delete']

/** The calls with `http.get`, `post`, `put` and `delete` in a service's source. Throws if a path is not readable. */
export function callsIn(file: string, source: string): CallSite[] {
  const sites: CallSite[] = []
  const walk = (node: Node, way: readonly Node[]): void => {
    const callee = nodeIn(node, 'callee')
    const method = callee && nameOf(nodeIn(callee, 'property'))
    if (
      node.type === 'CallExpression' &&
      callee?.type === 'MemberExpression' &&
      nameOf(nodeIn(callee, 'object')) === 'http' &&
      method !== undefined &&
      methods.includes(method)
    ) {
      for (const path of textsOf(nodesIn(node, 'arguments')[0], way)) {
        if (!path.startsWith('/')) throw new Error(`${file}: the path of a call in ${makerOf(way)} cannot be read`)
        sites.push({ call: `${method.toUpperCase()} ${path}`, from: makerOf(way), file })
      }
    }
    for (const child of childrenOf(node)) walk(child, [...way, node])
  }
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  walk(program as unknown as Node, [])
  return sites
}

const services = globSync('src/services/**/*.ts').map((path) => ({
  path,
  file: basename(path),
  source: readFileSync(path, 'utf8'),
}))

/** Every call of the services to the API. */
export const callsOfTheServices: readonly CallSite[] = services.flatMap(({ file, source }) => callsIn(file, source))

const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(/from '(\.[^']+)'/g)].map(([, imported = '']) => join(dirname(path), imported))

/** The services that make calls and that no test of requests imports, itself or through another service. */
export function servicesWithoutTest(): string[] {
  const tested = new Set(
    globSync('tests/faults/**/*.test.ts').flatMap((path) => importsOf(path, readFileSync(path, 'utf8'))),
  )
  // A set also visits what is added to it meanwhile.
  for (const one of tested) {
    const service = services.find(({ path }) => path === one)
    if (service) for (const imported of importsOf(one, service.source)) tested.add(imported)
  }
  return services
    .filter(({ path, file, source }) => callsIn(file, source).length > 0 && !tested.has(path))
    .map(({ path }) => path)
}

/** The files that access the network directly. */
export const reachingTheNetwork: readonly string[] = services
  .filter(({ source }) => /\bfetch\(|\bXMLHttpRequest\b|\bsendBeacon\b|\bEventSource\b/.test(source))
  .map(({ file }) => file)
  .toSorted()

/** The calls to the identity provider. All use POST. */
export const callsToTheProvider: readonly string[] = [
  ...new Set(
    services.flatMap(({ source }) => [...source.matchAll(/\/auth\/v1\/\w+/g)].map(([path]) => `POST ${path}`)),
  ),
].toSorted()

/** Whether a concrete call matches the call with {} in its path. */
export function isCall(made: string, pattern: string): boolean {
  const escaped = pattern.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '[^/]+')
  return new RegExp(`^${escaped}$`).test(made)
}

/** Spec section 7, copied by hand. */
export const callsOfSection7: readonly string[] = [
  'POST /auth/check-migration',
  'POST /auth/complete-migration',
  'POST /auth/supabase-login',
  'POST /auth/login',
  'POST /auth/refresh',
  'GET /auth/me',
  'POST /auth/logout',
  'GET /facebook/conversations',
  'GET /facebook/conversations/{}/messages',
  'POST /facebook/send-message',
  'POST /facebook/conversations/{}/mark-read',
  'GET /facebook/stats',
  'GET /facebook/users/{}/best-page',
  'GET /facebook/users/{}/identity/{}',
  'POST /facebook/link-client',
  'GET /facebook/search-clients',
  'GET /clients/{}',
  'GET /clients/{}/orders',
  'GET /orders',
  'GET /orders/{}/payments',
  'GET /facebook/orders/{}',
  'POST /clients',
  'GET /facebook/pages',
  'POST /facebook/pages/verify-token',
  'POST /facebook/pages',
  'PUT /facebook/pages/{}',
  'DELETE /facebook/pages/{}',
  'POST /facebook/pages/refresh-profile-pictures',
  'POST /facebook/refresh-all-profile-pictures',
  'POST /facebook/refresh-user-profile/{}',
  'GET /facebook/pages/{}/sync-status',
  'POST /facebook/pages/{}/sync-history',
  'POST /facebook/pages/{}/sync-conversation',
  'POST /facebook/pages/{}/sync-recent',
  'POST /facebook/sync-all-recent',
  'GET /facebook/auto-sync/status',
  'PUT /facebook/auto-sync/config',
  'POST /facebook/auto-sync/start',
  'POST /facebook/auto-sync/stop',
  'POST /facebook/auto-sync/force-sync',
  'GET /faq/categories',
  'GET /faq/entries',
  'POST /faq/entries',
  'PUT /faq/entries/{}',
  'DELETE /faq/entries/{}',
  'POST /faq/test-match',
]

/** The calls of spec section 7 that the client does not need, with the reason. */
export const notCalled: Readonly<Record<string, string>> = {
  'GET /clients/{}/orders': 'GET /orders brings them by client_id, up to 1000 and with their payments',
  'GET /orders/{}/payments': 'every order that GET /orders and GET /facebook/orders/{} bring holds its own',
}

/** The calls whose answer nothing waits for, with the reason. */
export const withoutOutcome: Readonly<Record<string, string>> = {
  'DELETE /facebook/presence/{}': 'the server forgets a tab that is not renewed',
  'PUT /facebook/push/tabs/{}': 'the next one follows within 25 s',
  'DELETE /facebook/push/tabs/{}': 'the server forgets a tab that is not renewed',
  'DELETE /facebook/push/subscription/{}': 'the push service tells the server that the browser has unsubscribed',
  'DELETE /facebook/outgoing-files/{}': 'the server deletes a file that is not sent',
  // It needs the progress of XMLHttpRequest: tests/model/send/attached-files.test.ts has its failures.
  'PUT /facebook/outgoing-files/{}': 'a failure is a state of the file',
  'PUT /saved-replies/{}/pictures/{}/copies/{}': 'a failure is a state of the file',
  'POST /facebook/outgoing-files/{}/parts': 'a failure is a state of the file',
  'PUT /facebook/outgoing-files/{}/parts/{}': 'a failure is a state of the file',
  'POST /facebook/outgoing-files/{}/completion': 'a failure is a state of the file',
  // They need a service worker: tests/model/shell/push.test.ts has their failures.
  'GET /facebook/push': 'a failure is a state of the dialog',
  'PUT /facebook/push/subscription': 'a failure is a state of the dialog',
}

/** The calls beyond spec section 7. */
export const beyondSection7: readonly string[] = [
  'GET /facebook/conversations/ana/messages-around',
  'GET /facebook/conversations/ana/messages-around',
  'GET /facebook/conversations/ana/messages-around',
  'GET /facebook/conversations/ana/messages-around',
  'GET /search',
  'GET /search',
  'POST /facebook/messages/m1/unconfirmed-reply',
  'PUT /clients/k1/language',
  'PUT /clients/k1',
  'GET /clients/k1/summary',
  'DELETE /clients/k1',
  'POST /clients/k1/merge',
  'GET /client-removals',
  'POST /client-removals/k8/undo',
  'GET /clients/k2/summary',
  'GET /facebook/client-suggestions/ben',
  'POST /facebook/client-suggestions/ben/dismiss',
  'POST /facebook/logins',
  'POST /facebook/logins/complete',
  'POST /facebook/logins/connect',
  'GET /facebook/pages/p1/deletion',
  'GET /facebook/chats/ana',
  'POST /facebook/unlink-client',
  'POST /facebook/split-chat',
  'POST /facebook/join-chats',
  'GET /persons/ana/export',
  'GET /persons/ana/erasable',
  'POST /persons/ana/erase',
  'GET /erasures/x1',
  'GET /facebook/history-syncs/j1',
  'POST /facebook/history-syncs/j1/cancel',
  'POST /auth/change-password',
  'GET /auth/second-factor',
  'POST /auth/second-factor/begin',
  'POST /auth/second-factor/confirm',
  'POST /auth/second-factor/disable',
  'POST /auth/second-factor/recovery-codes',
  'GET /staff',
  'POST /staff',
  'PUT /staff/s2',
  'POST /staff/s2/reset-password',
  'POST /staff/s2/remove-second-factor',
  'GET /api-keys',
  'POST /api-keys',
  'DELETE /api-keys/k1',
  'GET /comments/count',
  'GET /comments/live-sale',
  'PUT /comments/live-sale',
  'GET /comments/threads',
  'GET /comments/threads',
  'GET /comments/threads/t1',
  'PUT /comments/threads/t1/done',
  'POST /comments/c1/replies',
  'POST /comments/sends/k1',
  'PUT /comments/c1/hidden',
  'PUT /comments/c1/like',
  'DELETE /comments/c1',
  'GET /webhooks',
  'POST /webhooks',
  'PUT /webhooks/w1',
  'DELETE /webhooks/w1',
  'POST /webhooks/w1/secret',
  'GET /webhooks/w1/deliveries',
  'GET /webhooks/w1/deliveries',
  'POST /webhooks/w1/deliveries/2/resend',
  'POST /webhooks/w1/test',
  'GET /shops',
  'POST /shops',
  'POST /shops/s1/sync',
  'DELETE /shops/s1',
  'GET /imports',
  'GET /imports/i1',
  'POST /imports',
  'PUT /imports/i1/parts/0',
  'POST /imports/i1/read',
  'POST /imports/i1/check',
  'POST /imports/i1/run',
  'POST /imports/i1/cancel',
  'GET /imports/i1/rows',
  'POST /imports/i1/refused-rows',
  'POST /exports',
  'GET /audit',
  'POST /audit/export',
  'GET /assignment-rules',
  'PUT /assignment-rules',
  'GET /business-hours',
  'PUT /business-hours',
  'GET /reports/waiting',
  'POST /reports/export',
  'GET /alarms',
  'GET /facebook/team',
  'GET /facebook/drafts',
  'PUT /facebook/drafts/ana',
  'POST /facebook/conversations/ana/presence',
  'GET /facebook/conversations/ana/notes',
  'POST /facebook/conversations/ana/notes',
  'DELETE /facebook/notes/n1',
  'GET /facebook/notification-settings',
  'GET /facebook/notification-settings',
  'PUT /facebook/notification-settings',
  'POST /facebook/conversations/state',
  'GET /facebook/saved-filters',
  'PUT /facebook/saved-filters/f1',
  'DELETE /facebook/saved-filters/f1',
  'GET /labels',
  'POST /labels',
  'PUT /labels/l1',
  'GET /labels/l1/usage',
  'DELETE /labels/l1',
  'POST /clients/k1/labels',
  'GET /saved-replies',
  'GET /saved-replies',
  'GET /facebook/pages/p1/message-templates',
  'POST /saved-replies',
  'PUT /saved-replies/r1',
  'DELETE /saved-replies/r1',
  'POST /saved-replies/r1/used',
  'GET /products',
  'GET /products',
  'GET /products',
  'POST /products',
  'PUT /products/p1',
  'DELETE /products/p1',
  'POST /orders',
  'GET /orders/o1',
  'PUT /orders/o1/status',
  'PUT /orders/o1/payments/y1/status',
  'GET /orders/o1',
  'POST /orders/o1/payments',
  'GET /faq/matching',
  'PUT /faq/matching',
  'GET /faq/wrong-answers',
  'POST /faq/wrong-answers/m1/resolve',
  'POST /faq/dry-run',
  'PUT /facebook/messages/m1/wrong-answer',
  'DELETE /facebook/messages/m1/wrong-answer',
  'PUT /facebook/messages/m1/reaction',
  'POST /auth/second-factor/verify',
  'GET /auth/password-reset',
  'POST /auth/password-reset/request',
  'POST /auth/password-reset/complete',
]
