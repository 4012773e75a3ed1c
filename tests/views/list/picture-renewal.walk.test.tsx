import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { pictureRenewalMachine } from '../../../src/machines/list/picture-renewal.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { row } from '../../model/inbox-fixture.ts'
import { ended, pictureRenewalModel, renewalsIn } from '../../model/list/picture-renewal-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(pictureRenewalMachine)

const pictureOf = (id: string) => screen.getByRole('option', { name: new RegExp(`Person ${id}`) }).querySelector('img')

/** What a browser does with an address that has ended. */
function failWhatHasEnded() {
  for (const { address } of ended) {
    const pictures = [...document.querySelectorAll('img')].filter((picture) => picture.getAttribute('src') === address)
    for (const picture of pictures) fireEvent.error(picture)
  }
}

/** The new picture where one was given; what stands for a missing one where it ended; nothing where none was known. */
const expected = (snapshot: SnapshotFrom<typeof pictureRenewalMachine>) => {
  const { asked, renewed, waiting } = renewalsIn(snapshot)
  const [first] = waiting
  return {
    pictures: ended.map(({ address }) => renewed[address] ?? (asked.includes(address) ? '/avatar.png' : null)),
    asks: first === undefined ? [] : [{ id: first.id }],
  }
}

describe('the avatars show what the renewal of pictures is in', () => {
  const paths = pictureRenewalModel().everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      await inbox.answer('loadTop', listOf([row('c1', 2), row('c2', 1)]))
      await follow(
        path,
        {
          'picture.ended': ({ picture }) =>
            inbox.changeUsers([{ type: 'UPDATE', row: { id: picture.id, profile_pic: picture.address } }]),
          'xstate.done.actor.renewPicture': ({ output }) => inbox.answer('renewPicture', output),
          'xstate.error.actor.renewPicture': ({ error }) => inbox.fail('renewPicture', error),
        },
        (step) => {
          failWhatHasEnded()
          const pictures = ['c1', 'c2'].map((id) => pictureOf(id)?.getAttribute('src') ?? null)
          expect({ pictures, asks: inbox.waiting('renewPicture') }).toEqual(expected(step.expected))
        },
      )
      inbox.unmount()
    }
  }, 300_000)

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
