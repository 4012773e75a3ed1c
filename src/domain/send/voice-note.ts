/** The longest voice note in seconds. As a WAV file it has 9.6 MB. */
export const longestVoiceNote = 5 * 60

/** Why nothing is recorded. 'denied': the person or the browser does not allow it. */
export type VoiceProblem = 'denied' | 'noMicrophone' | 'failed'

/** What a recording reports. */
export type VoiceReport =
  | { type: 'recording.began' }
  | { type: 'recording.refused'; problem: VoiceProblem }
  | { type: 'recording.ready'; file: File }

/** '1:05' */
export const voiceTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
