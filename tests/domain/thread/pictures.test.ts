import { describe, expect, it } from 'vitest'
import { pictureOf, picturesIn } from '../../../src/domain/thread/pictures.ts'
import { messageOf } from '../message-fixture.ts'

const cake = { name: 'cake.jpg', image_data: { url: 'https://cdn.example/cake.jpg', preview_url: '/pictures/cake' } }

describe('An attachment', () => {
  it('that is an image is a picture, with its preview and its name', () =>
    expect(pictureOf(cake)).toEqual({
      attachment: cake,
      url: 'https://cdn.example/cake.jpg',
      previewUrl: '/pictures/cake',
      name: 'cake.jpg',
    }))

  it.each([null, undefined])('with the preview %s uses the image itself as the preview', (preview_url) =>
    expect(pictureOf({ image_data: { url: 'https://cdn.example/a.jpg', preview_url } })?.previewUrl).toBe(
      'https://cdn.example/a.jpg',
    ),
  )

  it.each([null, undefined, '', ' \u202e '])('named %j gets a default name', (name) =>
    expect(pictureOf({ ...cake, name })?.name).toBe('Picture'),
  )

  it('that is no image is not shown as a picture', () =>
    expect(pictureOf({ file_data: { url: 'https://cdn.example/a' } })).toBe(null))

  it.each([
    { url: 'javascript:alert(1)', preview_url: 'https://cdn.example/a.jpg' },
    { url: 'https://cdn.example/a.jpg', preview_url: 'javascript:alert(1)' },
  ])('with an unsafe address is no picture: %j', (image_data) => expect(pictureOf({ image_data })).toBe(null))
})

it('the pictures of a thread are the pictures of all its messages, in order', () => {
  const pie = { image_data: { url: 'https://cdn.example/pie.jpg' } }
  const bad = { image_data: { url: 'data:text/html,x' } }
  const messages = [
    messageOf('m1', 1, { attachments: { data: [cake, bad, pie] } }),
    messageOf('m2', 2),
    messageOf('m3', 3, { attachments: { data: [{ video_data: { url: 'https://cdn.example/a.mp4' } }, cake] } }),
  ]
  expect(picturesIn(messages).map(({ attachment }) => attachment)).toEqual([cake, pie, cake])
})
