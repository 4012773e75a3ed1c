import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import {
  imageGalleryMachine,
  selectImage,
  selectImageCount,
  selectImageNumber,
} from '../../../src/machines/thread/image-gallery.ts'
import { createCoverage } from '../harness.ts'

const coverage = createCoverage(imageGalleryMachine)
const [first, second] = ['a', 'b'].map((name) => ({ url: `/${name}.jpg`, name: `${name}.jpg` }))
const images = [first, second].filter((image) => image !== undefined)

it('the image gallery shows the previous or the next picture, and stops at the first and the last', () => {
  const actor = createActor(imageGalleryMachine, {
    inspect: coverage.inspect,
    input: { conversationId: 'ana', images, index: 0 },
  }).start()
  const step = (by: number) => {
    actor.send({ type: 'image.stepped', by })
    const snapshot = actor.getSnapshot()
    return [selectImage(snapshot), selectImageNumber(snapshot), selectImageCount(snapshot)]
  }
  expect([step(-1), step(1), step(1), step(-1)]).toEqual([
    [first, 1, 2],
    [second, 2, 2],
    [second, 2, 2],
    [first, 1, 2],
  ])
  actor.send({ type: 'dialog.dismissed' })
  expect(actor.getSnapshot().status).toBe('done')
})

it('the test of the image gallery enters every state', () => expect(coverage.statesMissed()).toEqual([]))
it('the test of the image gallery takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
