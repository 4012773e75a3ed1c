import { expect, it } from 'vitest'
import { isSharedComputer, rememberSharedComputer } from '../../../src/services/session/shared-computer.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { contentOf, createArea } from '../memory-storage.ts'

it('a computer counts as shared from the sign-in that says so until one that does not', () => {
  const area = createArea()
  const storage = createStorage(() => area)
  const states = [true, true, false, false, true].map((isShared) => {
    rememberSharedComputer(storage, isShared)
    return [isSharedComputer(storage), contentOf(area)]
  })
  const shared = [true, { 'staff-inbox.sharedComputer': 'yes' }]
  expect(states).toEqual([shared, shared, [false, {}], [false, {}], shared])
  area.setItem('staff-inbox.sharedComputer', 'no')
  expect(isSharedComputer(storage)).toBe(false)
})
