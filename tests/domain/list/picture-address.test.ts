import { expect, it } from 'vitest'
import {
  hasPictureEnded,
  looksExpired,
  pagePictureAddress,
  pictureEnd,
} from '../../../src/domain/list/picture-address.ts'

it.each<[string, number | null]>([
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000', 0x65000000 * 1000],
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oe=65000000', null],
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=soon', null],
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=x65000000', null],
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000x', null],
  ['https://platform-lookaside.fbsbx.com/platform/profilepic/?psid=1&ext=1700000000&hash=x', 1_700_000_000_000],
  ['https://platform-lookaside.fbsbx.com/platform/profilepic/?ext=65f00000', null],
  ['https://scontent.xx.fbcdn.net/v/a.jpg', null],
  ['/sandbox/media/people/1.png', null],
  ['', null],
])('the picture address %s expires at %s', (address, end) => {
  expect(pictureEnd(address)).toBe(end)
})

it('a picture address expires at its expiry time, and one without an expiry time never expires', () => {
  const address = 'https://platform-lookaside.fbsbx.com/?ext=1700000000'
  expect(hasPictureEnded(address, 1_699_999_999_999)).toBe(false)
  expect(hasPictureEnded(address, 1_700_000_000_000)).toBe(true)
  expect(hasPictureEnded('https://scontent.xx.fbcdn.net/a.jpg', 1e15)).toBe(false)
})

it.each([
  [
    'https://scontent.xx.fbcdn.net/a.jpg?x=$&',
    'https://p.example/{url}',
    'https://p.example/https%3A%2F%2Fscontent.xx.fbcdn.net%2Fa.jpg%3Fx%3D%24%26',
  ],
  ['https://scontent.xx.fbcdn.net/a.jpg', null, 'https://scontent.xx.fbcdn.net/a.jpg'],
  ['https://fbcdn.net.example.com/a.jpg', 'https://p.example/{url}', 'https://fbcdn.net.example.com/a.jpg'],
  ['/pictures/abc', 'https://p.example/{url}', '/pictures/abc'],
])('the page picture at %s is loaded through the proxy %j from %s', (address, proxy, loaded) => {
  expect(pagePictureAddress(address, proxy)).toBe(loaded)
})

it.each<[string, boolean]>([
  ['https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000', true],
  ['https://platform-lookaside.fbsbx.com/platform/profilepic/?psid=1&ext=1700000000', true],
  ['https://fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000', true],
  ['https://myfbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000', false],
  ['https://scontent.xx.fbcdn.net/v/a.jpg', false],
  ['https://fbcdn.net.example.com/a.jpg?oh=00_AbC&oe=65000000', false],
  ['/pictures/a?oh=00_AbC&oe=65000000', false],
])('only an expired address of the network is treated as expired: %s', (address, expired) => {
  expect(looksExpired(address, 1_800_000_000_000)).toBe(expired)
})
