import * as z from 'zod/mini'

/** A message of the Phoenix protocol, in either version. */
export type Frame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: unknown }

export type FrameVersion = '1.0.0' | '2.0.0'

const reference = z.nullish(z.string())
const versionOne = z.object({
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
  ref: reference,
  join_ref: reference,
})
const versionTwo = z.tuple([reference, reference, z.string(), z.string(), z.unknown()])

/** Null if the text is not a frame of this version. */
export const readFrame = (version: FrameVersion, text: string): Frame | null => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (version === '1.0.0') {
    const frame = versionOne.safeParse(value)
    if (!frame.success) return null
    const { topic, event, payload, ref, join_ref } = frame.data
    return { topic, event, payload, ref: ref ?? null, joinRef: join_ref ?? null }
  }
  const frame = versionTwo.safeParse(value)
  if (!frame.success) return null
  const [joinRef, ref, topic, event, payload] = frame.data
  return { topic, event, payload, ref: ref ?? null, joinRef: joinRef ?? null }
}

/** The bytes of a text frame of a WebSocket server (RFC 6455, 5.2): whole, and not masked. */
export const frameBytes = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const bytes = Buffer.allocUnsafe(start + length)
  bytes[0] = 0x81
  bytes[1] = start === 2 ? length : start === 4 ? 126 : 127
  if (start === 4) bytes.writeUInt16BE(length, 2)
  if (start === 10) bytes.writeBigUInt64BE(BigInt(length), 2)
  bytes.write(text, start)
  return bytes
}

/** `payload` is JSON text: a change goes to many sockets and is serialized once. */
export const writeFrame = (
  version: FrameVersion,
  { joinRef, ref, topic, event, payload }: Omit<Frame, 'payload'> & { payload: string },
): string => {
  const [j, r, t, e] = [joinRef, ref, topic, event].map((part) => JSON.stringify(part))
  return version === '1.0.0'
    ? `{"topic":${t},"event":${e},"payload":${payload},"ref":${r},"join_ref":${j}}`
    : `[${j},${r},${t},${e},${payload}]`
}
