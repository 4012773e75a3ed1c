import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { imageGalleryMachine } from '../../../src/machines/thread/image-gallery.ts'
import type { Attachment } from '../../../src/schemas/message.ts'
import { Attachments } from '../../../src/views/thread/Attachments.tsx'
import ImageDialog from '../../../src/views/thread/ImageDialog.tsx'
import { found } from '../found.ts'

/** A view that is rendered again with other data keeps nothing of the earlier data. */
const pictureAt = (address: string): Attachment => ({ id: 'a1', name: 'a.png', image_data: { url: address } })
const soundAt = (address: string): Attachment => ({ id: 'a1', name: 'a.mp3', audio_data: { url: address } })

it.each([
  ['picture', pictureAt, 'Image failed to load', 'img'],
  ['sound', soundAt, 'Audio failed to load', 'audio'],
] as const)('a %s is loaded again after its address changed, although the earlier one failed', (_, at, text, tag) => {
  const { container, rerender } = render(<Attachments attachments={[at('https://cdn.example/old')]} />)
  const element = () => container.querySelector<HTMLImageElement | HTMLAudioElement>(tag)
  fireEvent.error(found(element(), tag))
  expect([screen.queryByText(text) !== null, element()]).toEqual([true, null])
  rerender(<Attachments attachments={[at('https://cdn.example/new')]} />)
  expect([screen.queryByText(text), element()?.src]).toEqual([null, 'https://cdn.example/new'])
})

it('the next picture of the preview is neither failed, larger than the dialog nor in its original size', async () => {
  const images = ['one', 'two', 'three'].map((name) => ({ name, url: `https://cdn.example/${name}.png` }))
  const actor = createActor(imageGalleryMachine, { input: { conversationId: 'c1', images, index: 0 } }).start()
  render(<ImageDialog actor={actor} title="Picture" onDismiss={() => {}} />)
  const picture = () => screen.getByRole<HTMLImageElement>('img')
  const step = () => act(async () => actor.send({ type: 'image.stepped', by: 1 }))
  Object.defineProperties(picture(), { naturalWidth: { value: 4_000 }, width: { value: 800 } })
  fireEvent.load(picture())
  fireEvent.click(screen.getByRole('button', { name: 'Full size' }))
  expect(screen.queryByRole('button', { name: 'Fit to screen' })).not.toBeNull()
  await step()
  expect([picture().alt, screen.queryByRole('button', { name: /Fit|Full size/ })]).toEqual(['two', null])
  fireEvent.error(picture())
  expect(screen.queryByText('Image failed to load')).not.toBeNull()
  await step()
  expect([picture().alt, screen.queryByText('Image failed to load')]).toEqual(['three', null])
  actor.stop()
})
