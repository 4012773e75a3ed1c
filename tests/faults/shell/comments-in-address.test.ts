import { expect, it } from 'vitest'
import { takeCommentsInAddress } from '../../../src/services/comments/comments-in-address.ts'

it.each([
  ['#comments=t%201', { threadId: 't 1' }, '/c1?view=mine'],
  ['#comments=', { threadId: null }, '/c1?view=mine'],
  ['#comments=%', { threadId: null }, '/c1?view=mine'],
  ['#reset=1', null, null],
])('the address %s opens %j, once', (hash, opened, left) => {
  let address: unknown = null
  const replaceState: History['replaceState'] = (_, __, url) => {
    address = url
  }
  const history = { state: 1, replaceState }
  const location = { hash, pathname: '/c1', search: '?view=mine' }
  expect([takeCommentsInAddress({ location, history }), address]).toEqual([opened, left])
})
