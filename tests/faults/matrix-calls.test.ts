import { describe, expect, it } from 'vitest'
import { authRows } from './auth-rows.ts'
import {
  beyondSection7,
  callsIn,
  callsOfSection7,
  callsOfTheServices,
  callsToTheProvider,
  isCall,
  notCalled,
  reachingTheNetwork,
} from './matrix-calls.ts'
import { callsOfTheSession, hasRows } from './matrix-fixture.ts'
import { type Row, rows } from './matrix-rows.ts'

const all: readonly Pick<Row, 'call' | 'from'>[] = [...rows, ...authRows.map(({ call }) => ({ call }))]
const isMet = (pattern: string) => all.some(({ call }) => isCall(call, pattern))

describe('the fault matrix', () => {
  it('has a row for every call that the code of the services makes, at every place where it makes it', () => {
    const isAlone = (pattern: string) => callsOfTheServices.filter(({ call }) => call === pattern).length === 1
    const missing = callsOfTheServices.filter(
      ({ call, from }) => !all.some((row) => isCall(row.call, call) && (isAlone(call) || row.from === from)),
    )
    expect(missing).toEqual([])
  })

  it('has a row for every call to the identity provider', () => {
    expect(callsToTheProvider).toEqual(['POST /auth/v1/logout', 'POST /auth/v1/signup', 'POST /auth/v1/token'])
    expect(callsToTheProvider.filter((call) => !isMet(call))).toEqual([])
  })

  it('has a row for every call of section 7, but for those that the client has no need to make', () => {
    expect(callsOfSection7.filter((call) => !isMet(call))).toEqual(Object.keys(notCalled))
    expect(callsOfTheServices.filter(({ call }) => call in notCalled)).toEqual([])
  })

  it('has a row for each call beyond section 7, and for no other', () => {
    const known = [...callsOfSection7, ...callsToTheProvider]
    expect(all.map(({ call }) => call).filter((call) => !known.some((one) => isCall(call, one)))).toEqual(
      beyondSection7,
    )
  })

  it('has a row for every call that the harness answers, but for the messages of conversations beside the point', () => {
    const missing = callsOfTheSession.filter((call) => !rows.some((row) => row.call === call))
    expect(missing).toEqual(['GET /facebook/conversations/zoe/messages', 'GET /facebook/conversations/ben/messages'])
  })

  it('knows of each answer that holds rows what is shown of them', () =>
    expect(rows.filter(({ call, list }) => hasRows(call) !== (list !== undefined))).toEqual([]))
})

describe('the calls read out of the code', () => {
  it('are all there are: nothing else in the services reaches the network', () =>
    expect(reachingTheNetwork).toEqual(['http.ts', 'supabase.ts']))

  it('have the paths that helpers, constants and tables make', () => {
    const source = `
      const pathOf = (id) => \`/a/\${encodeURIComponent(id)}\`
      const paths = { one: '/one', two: '/two' }
      export function createService(http) {
        const change = async (way) => http.post(\`/a/\${way}\`, {})
        return {
          load: (id) => { const path = pathOf(id); return http.get(path, {}) },
          drop: async (id) => (await http.delete(\`\${pathOf(id)}/b\`, {})).data,
          both: (which) => http.put(paths[which], {}),
        }
      }`
    expect(callsIn('a.ts', source).map(({ call, from }) => [call, from])).toEqual([
      ['POST /a/{}', 'change'],
      ['GET /a/{}', 'load'],
      ['DELETE /a/{}/b', 'drop'],
      ['PUT /one', 'both'],
      ['PUT /two', 'both'],
    ])
  })

  it('are none that cannot be read: that is an error', () =>
    expect(() => callsIn('a.ts', 'const load = (path) => http.get(path, {})')).toThrow('cannot be read'))
})
