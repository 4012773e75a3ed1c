import { expect, it } from 'vitest'
import { loginReturnOf } from '../../../src/domain/pages/facebook-login.ts'

it.each([
  ['?code=c1&state=s1', { outcome: 'allowed', codeToken: 'c1' }],
  ['?state=s1&error=access_denied&error_reason=user_denied', { outcome: 'cancelled' }],
  ['?state=s1&error=server_error', { outcome: 'failed' }],
  ['?state=s1', { outcome: 'failed' }],
  ['?state=s1&code=', { outcome: 'failed' }],
  ['?code=c1&state=s2', null],
  ['?code=c1', null],
  ['', null],
])('reads the return of the network from %j', (query, expected) => {
  expect(loginReturnOf(query, 's1')).toEqual(expected)
})
