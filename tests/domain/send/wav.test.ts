import { expect, it } from 'vitest'
import { detectFileType } from '../../../server/files/file-type.ts'
import { voiceTime } from '../../../src/domain/send/voice-note.ts'
import { wavOf } from '../../../src/domain/send/wav.ts'

it('a WAV file has one channel, the average of those that were recorded', () => {
  const bytes = wavOf([Float32Array.of(1, -1, 0.5, 2), Float32Array.of(1, -1, -0.5, 2)], 16_000)
  const view = new DataView(bytes.buffer)
  expect({
    type: detectFileType(bytes, true),
    length: view.getUint32(4, true) + 8,
    channels: view.getUint16(22, true),
    samplesPerSecond: view.getUint32(24, true),
    bytesPerSecond: view.getUint32(28, true),
    data: view.getUint32(40, true),
    samples: [0, 1, 2, 3].map((index) => view.getInt16(44 + 2 * index, true)),
  }).toEqual({
    type: 'audio/wav',
    length: 52,
    channels: 1,
    samplesPerSecond: 16_000,
    bytesPerSecond: 32_000,
    data: 8,
    samples: [32_767, -32_768, 0, 32_767],
  })
})

it.each([
  [0, '0:00'],
  [9, '0:09'],
  [65, '1:05'],
  [300, '5:00'],
])('%i seconds are shown as %s', (seconds, shown) => expect(voiceTime(seconds)).toBe(shown))
