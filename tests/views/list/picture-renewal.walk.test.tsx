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

/** Simulates the browser's load error for an expired address. */
function failWhatHasEnded() {
  for (const { address } of ended) {
    const pictures = [...document.querySelectorAll('img')].filter((picture) => picture.getAttribute('src') === address)
    for (const picture of pictures) fireEvent.error(picture)
  }
}

/** A picture whose address never expires. */
const another = '/another.png'

/** The new picture if there is one; the fallback if the address expired; nothing if no address was known. */
const expected = (snapshot: SnapshotFrom<typeof pictureRenewalMachine>) => {
  const { asked, renewed, shown, waiting } = renewalsIn(snapshot)
  const [first] = waiting
  return {
    pictures: ended.map(({ address }) => {
      if (!asked.includes(address)) return null
      return shown.some((picture) => picture.address === address) ? (renewed[address] ?? '/avatar.png') : another
    }),
    asks: first === undefined ? [] : [{ id: first.id }],
  }
}

describe('The avatars show the state of picture renewal', () => {
  // A tick takes so long that the channel of the harness times out: `inbox-list.test.tsx` covers expiry over time.
  const paths = pictureRenewalModel({ ticks: false }).everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect })
      await inbox.answer('loadTop', listOf([row('c1', 2), row('c2', 1)]))
      const showPicture = (id: string, address: string) =>
        inbox.changeUsers([{ type: 'UPDATE', row: { id, profile_pic: address } }])
      await follow(
        path,
        {
          'picture.shown': ({ picture }) => showPicture(picture.id, picture.address),
          'picture.hidden': ({ picture }) => showPicture(picture.id, another),
          ...inbox.ends('renewPicture'),
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
  it('takes every transition except the tick', () =>
    expect(coverage.transitionsMissed()).toEqual([
      'pictureRenewal.watching.waiting -- xstate.after.tick.pictureRenewal.watching.waiting --> pictureRenewal.watching.waiting',
    ]))
})
