import { expect, it } from 'vitest'
import { refusedToast } from '../../../src/domain/list/state-toasts.ts'
import { labelLimits } from '../../../src/schemas/labels-of-row.ts'

it.each([
  ['changed', 1, 'Ben', 'Ben has changed this conversation meanwhile.'],
  ['changed', 1, null, 'This conversation has changed meanwhile. Look again.'],
  ['changed', 2, null, '2 conversations have changed meanwhile. Look again.'],
  ['written', 1, null, 'They have just written. Look before you close.'],
  ['unknown_member', 1, null, 'This person can no longer take conversations. Choose somebody else.'],
  ['past', 1, null, 'That time is over. Choose a later one.'],
  ['unknown_label', 1, null, 'This label was deleted in the meantime.'],
  ['too_many_labels', 1, null, `A conversation has at most ${labelLimits.ofRow} labels. Take one off first.`],
  ['unknown', 1, null, 'This conversation no longer exists.'],
  ['unknown', 2, null, '2 conversations no longer exist.'],
] as const)('the refusal "%s" of %d changes, made by %s, says: %s', (refusal, count, by, text) => {
  expect(refusedToast(refusal, count, by)).toEqual({ kind: 'warning', text })
})
