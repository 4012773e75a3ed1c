import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { partKinds } from '../../src/schemas/message-part.ts'
import type { StructuredContent } from '../../src/schemas/structured-message.ts'

const folder = new URL('../../docs/screens/', import.meta.url)
const gallery = readFileSync(new URL('messages.md', folder), 'utf8')
const lines = gallery.split('\n')

/** The code in the last cells of the rows of tables. */
const keptAs = new Set(
  lines
    .filter((line) => line.startsWith('| '))
    .flatMap(
      (line) =>
        line
          .split('|')
          .at(-2)
          ?.match(/`[^`]+`/g) ?? [],
    )
    .map((code) => code.slice(1, -1)),
)

/** What a message has besides its parts. */
const beside = ['image_data', 'video_data', 'audio_data', 'file_data', 'edited_at', 'reply_to', 'reactions']

test('the gallery of messages has every kind, and no other', () => {
  expect([...keptAs].toSorted()).toEqual([...partKinds(), ...beside].toSorted())
})

test('the gallery of messages has every structure that staff send', () => {
  const named = {
    quickReplies: 'quick replies',
    buttons: 'buttons',
    card: 'product card with picture and link',
    sticker: 'heart',
    // A template is a text in the thread.
    template: null,
  } as const satisfies Record<StructuredContent['kind'], string | null>
  const ofStaff = gallery.slice(gallery.indexOf('| what staff send'))
  expect(Object.values(named).filter((name) => name !== null && !ofStaff.includes(name))).toEqual([])
})

test('the gallery of messages shows its pictures, at three widths for each side', () => {
  const pictures = lines.flatMap((line) => /\]\((messages-[\w-]+\.png)\)/.exec(line)?.[1] ?? [])
  expect(pictures).toEqual(
    ['messages', 'messages-staff'].flatMap((name) => [1440, 1024, 390].map((width) => `${name}-${width}.png`)),
  )
  expect(pictures.filter((picture) => !existsSync(new URL(picture, folder)))).toEqual([])
})
