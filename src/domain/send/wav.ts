const headerBytes = 44

/** A sound as a WAV file: one channel, 16 bits a sample. `channels` have values from -1 to 1 and the same length. */
export function wavOf(channels: readonly Float32Array[], samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const samples = channels[0]?.length ?? 0
  const bytes = new Uint8Array(headerBytes + 2 * samples)
  const view = new DataView(bytes.buffer)
  const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  // Samples as they are, in one channel.
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samplesPerSecond, true)
  view.setUint32(28, 2 * samplesPerSecond, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, 2 * samples, true)
  for (let index = 0; index < samples; index += 1) {
    const sum = channels.reduce((total, channel) => total + (channel[index] ?? 0), 0)
    const value = Math.max(-1, Math.min(1, sum / channels.length))
    view.setInt16(headerBytes + 2 * index, Math.round(value * (value < 0 ? 0x8000 : 0x7fff)), true)
  }
  return bytes
}
