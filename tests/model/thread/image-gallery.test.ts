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

it('shows the picture before or after, and stays at the first and the last', () => {
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

it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
