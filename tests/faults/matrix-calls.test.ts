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
  servicesWithoutTest,
  withoutOutcome,
} from './matrix-calls.ts'
import { callsOfTheSession, hasRows } from './matrix-fixture.ts'
import { type Row, rows } from './matrix-rows.ts'

const all: readonly Pick<Row, 'call' | 'from'>[] = [...rows, ...authRows.map(({ call }) => ({ call }))]
const isMet = (pattern: string) => all.some(({ call }) => isCall(call, pattern))

describe('The fault matrix', () => {
  it('has a row for every call of the services whose answer matters, for each place that makes the call', () => {
    const isAlone = (pattern: string) => callsOfTheServices.filter(({ call }) => call === pattern).length === 1
    const missing = callsOfTheServices.filter(
      ({ call, from }) =>
        !(call in withoutOutcome) && !all.some((row) => isCall(row.call, call) && (isAlone(call) || row.from === from)),
    )
    expect(missing).toEqual([])
  })

  it('has a row for every call to the identity provider', () => {
    expect(callsToTheProvider).toEqual(['POST /auth/v1/logout', 'POST /auth/v1/signup', 'POST /auth/v1/token'])
    expect(callsToTheProvider.filter((call) => !isMet(call))).toEqual([])
  })

  it('has a row for every call of spec section 7, except those that the client does not need', () => {
    expect(callsOfSection7.filter((call) => !isMet(call))).toEqual(Object.keys(notCalled))
    expect(callsOfTheServices.filter(({ call }) => call in notCalled)).toEqual([])
  })

  it('has a row for each call beyond spec section 7, and for no other', () => {
    const known = [...callsOfSection7, ...callsToTheProvider]
    expect(all.map(({ call }) => call).filter((call) => !known.some((one) => isCall(call, one)))).toEqual(
      beyondSection7,
    )
  })

  it('has a row for every call that the harness answers, except the messages of other conversations', () => {
    const missing = callsOfTheSession.filter((call) => !rows.some((row) => row.call === call))
    expect(missing).toEqual(['GET /facebook/conversations/zoe/messages', 'GET /facebook/conversations/ben/messages'])
  })

  it('defines what is shown for each answer that holds rows', () =>
    expect(rows.filter(({ call, list }) => hasRows(call) !== (list !== undefined))).toEqual([]))
})

describe('The calls found in the code', () => {
  it('are complete: nothing else in the services reaches the network', () =>
    expect(reachingTheNetwork).toEqual(['http.ts', 'supabase.ts', 'uploading-fetch.ts']))

  it('are all of services whose requests a test compares', () => expect(servicesWithoutTest()).toEqual([]))

  it('have the paths built from helpers, constants and tables', () => {
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

  it('cause an error if a path cannot be determined', () =>
    expect(() => callsIn('a.ts', 'const load = (path) => http.get(path, {})')).toThrow('cannot be read'))
})
