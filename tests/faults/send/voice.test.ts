import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { VoiceReport } from '../../../src/domain/send/voice-note.ts'
import { wavOf } from '../../../src/domain/send/wav.ts'
import { recordVoice } from '../../../src/services/send/voice.ts'
import { settled } from '../../model/harness.ts'

const aac = 'audio/mp4;codecs=mp4a.40.2'
const channels = [new Float32Array([0, 0.5]), new Float32Array([0, -1])]

/** A browser with a microphone. What it is asked for is in `calls`. */
function createBrowser({ hasAac = true, refusal }: { hasAac?: boolean; refusal?: unknown } = {}) {
  const calls: unknown[] = []
  const recorders: FakeRecorder[] = []
  const allowed = Promise.withResolvers<void>()
  const stream = { getTracks: () => [1, 2].map((track) => ({ stop: () => calls.push(`track ${track} stopped`) })) }

  class FakeRecorder {
    static isTypeSupported = (type: string) => hasAac && type === aac
    ondataavailable: ((event: { data: Blob }) => void) | null = null
    onerror: (() => void) | null = null
    onstop: (() => void) | null = null
    state = 'inactive'
    readonly mimeType: string
    constructor(given: unknown, { mimeType = 'audio/webm' }: { mimeType?: string }) {
      this.mimeType = mimeType
      calls.push(['recorder', given === stream, mimeType])
      recorders.push(this)
    }
    start(interval: number) {
      this.state = 'recording'
      calls.push(['start', interval])
    }
    stop() {
      this.state = 'inactive'
      calls.push('stop')
      this.ondataavailable?.({ data: new Blob(['two']) })
      this.onstop?.()
    }
  }
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  vi.stubGlobal('navigator', {
    mediaDevices: {
      getUserMedia: async (wanted: unknown) => {
        calls.push(wanted)
        await allowed.promise
        if (refusal !== undefined) throw refusal
        return stream
      },
    },
  })
  const reports: VoiceReport[] = []
  const recording = recordVoice((told) => reports.push(told))
  return {
    ...recording,
    calls,
    reports,
    recorders,
    allow: async () => {
      allowed.resolve()
      await settled()
    },
    /** Some of the sound. */
    hear: (text: string) => recorders[0]?.ondataavailable?.({ data: new Blob([text]) }),
  }
}

function stubDecoder(decodeAudioData: (data: ArrayBuffer) => Promise<unknown>) {
  const contexts: unknown[] = []
  vi.stubGlobal(
    'OfflineAudioContext',
    class {
      readonly decodeAudioData = decodeAudioData
      constructor(...settings: number[]) {
        contexts.push(settings)
      }
    },
  )
  return contexts
}

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T09:05:07.123Z') }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The file of the last report, when it is there. */
const fileIn = (reports: readonly VoiceReport[]) =>
  vi.waitFor(async () => {
    const last = reports.at(-1)
    if (last?.type !== 'recording.ready') throw new Error('no file yet')
    return { name: last.file.name, type: last.file.type, content: await last.file.bytes() }
  })

describe('A voice note', () => {
  it('is recorded as AAC, which both platforms take, and releases the microphone', async () => {
    const browser = createBrowser()
    expect([browser.reports, browser.calls]).toEqual([[], [{ audio: true }]])
    await browser.allow()
    expect(browser.reports).toEqual([{ type: 'recording.began' }])
    browser.hear('one ')
    browser.stop()
    browser.stop()
    expect(await fileIn(browser.reports)).toEqual({
      name: 'voice-note-2026-03-01-09-05-07.m4a',
      type: 'audio/mp4',
      content: new TextEncoder().encode('one two'),
    })
    expect(browser.calls.slice(1)).toEqual([
      ['recorder', true, aac],
      ['start', 1_000],
      'stop',
      'track 1 stopped',
      'track 2 stopped',
    ])
    expect(browser.reports).toHaveLength(2)
  })

  it('becomes a WAV file in a browser that records something else', async () => {
    const given: string[] = []
    const contexts = stubDecoder(async (data) => {
      given.push(new TextDecoder().decode(data))
      return {
        numberOfChannels: channels.length,
        sampleRate: 16_000,
        getChannelData: (index: number) => channels[index],
      }
    })
    const browser = createBrowser({ hasAac: false })
    await browser.allow()
    browser.stop()
    expect(await fileIn(browser.reports)).toEqual({
      name: 'voice-note-2026-03-01-09-05-07.wav',
      type: 'audio/wav',
      content: wavOf(channels, 16_000),
    })
    expect([given, contexts, browser.calls[1]]).toEqual([['two'], [[1, 1, 16_000]], ['recorder', true, 'audio/webm']])
  })

  it.each([
    ['the person does not allow it', new DOMException('', 'NotAllowedError'), 'denied'],
    ['the page may not ask', new DOMException('', 'SecurityError'), 'denied'],
    ['there is no microphone', new DOMException('', 'NotFoundError'), 'noMicrophone'],
    ['the microphone fails', new DOMException('', 'NotReadableError'), 'failed'],
    ['something else was thrown', 'NotAllowedError', 'failed'],
  ] as const)('is refused if %s', async (_, refusal, problem) => {
    const browser = createBrowser({ refusal })
    await browser.allow()
    expect(browser.reports).toEqual([{ type: 'recording.refused', problem }])
  })

  it('is refused if the recorder fails, or if the recording cannot be read', async () => {
    const failing = createBrowser()
    await failing.allow()
    failing.recorders[0]?.onerror?.()
    const failed = { type: 'recording.refused', problem: 'failed' }
    expect(failing.reports).toEqual([{ type: 'recording.began' }, failed])
    stubDecoder(() => Promise.reject(new DOMException('', 'EncodingError')))
    const unreadable = createBrowser({ hasAac: false })
    await unreadable.allow()
    unreadable.stop()
    await vi.waitFor(() => expect(unreadable.reports).toEqual([{ type: 'recording.began' }, failed]))
  })

  it('that is cancelled before the person has allowed it releases the microphone and records nothing', async () => {
    const browser = createBrowser()
    browser.cancel()
    await browser.allow()
    expect([browser.reports, browser.calls.slice(1)]).toEqual([[], ['track 1 stopped', 'track 2 stopped']])
  })

  it('that is cancelled is never reported', async () => {
    const browser = createBrowser()
    await browser.allow()
    browser.cancel()
    browser.recorders[0]?.onerror?.()
    await settled()
    expect([browser.reports, browser.calls.slice(3)]).toEqual([
      [{ type: 'recording.began' }],
      ['stop', 'track 1 stopped', 'track 2 stopped'],
    ])
  })
})
