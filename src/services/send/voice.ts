import type { VoiceProblem, VoiceReport } from '../../domain/send/voice-note.ts'
import { wavOf } from '../../domain/send/wav.ts'

/** AAC, which both platforms take as it is. Other recordings become WAV. */
const aac = 'audio/mp4;codecs=mp4a.40.2'
/** Enough for speech. */
const samplesPerSecond = 16_000

/** Asks for the microphone and records. `stop` ends the recording, `cancel` forgets it; both release the microphone. */
export function recordVoice(report: (told: VoiceReport) => void): { stop: () => void; cancel: () => void } {
  let recorder: MediaRecorder | null = null
  let isCancelled = false
  const chunks: Blob[] = []
  const tell = (told: VoiceReport) => {
    if (!isCancelled) report(told)
  }
  const refuse = (problem: VoiceProblem) => tell({ type: 'recording.refused', problem })

  const begin = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const release = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    if (isCancelled) return release()
    const type = MediaRecorder.isTypeSupported(aac) ? aac : ''
    const started = new MediaRecorder(stream, type === '' ? {} : { mimeType: type })
    started.ondataavailable = ({ data }) => void chunks.push(data)
    started.onerror = () => refuse('failed')
    started.onstop = () => {
      release()
      fileOf(new Blob(chunks, { type: started.mimeType }), type === aac).then(
        (file) => tell({ type: 'recording.ready', file }),
        () => refuse('failed'),
      )
    }
    // Data once a second, so that a long recording is not lost with the last second.
    started.start(1_000)
    recorder = started
    tell({ type: 'recording.began' })
  }
  begin().catch((error: unknown) => refuse(problemOf(error)))

  const end = () => {
    if (recorder?.state === 'recording') recorder.stop()
  }
  return {
    stop: end,
    cancel: () => {
      isCancelled = true
      end()
    },
  }
}

function problemOf(error: unknown): VoiceProblem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' ? 'noMicrophone' : 'failed'
}

async function fileOf(recorded: Blob, isAac: boolean): Promise<File> {
  const name = `voice-note-${new Date().toISOString().slice(0, 19).replaceAll(/[T:]/g, '-')}`
  if (isAac) return new File([recorded], `${name}.m4a`, { type: 'audio/mp4' })
  const context = new OfflineAudioContext(1, 1, samplesPerSecond)
  const sound = await context.decodeAudioData(await recorded.arrayBuffer())
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index))
  return new File([wavOf(channels, sound.sampleRate)], `${name}.wav`, { type: 'audio/wav' })
}
