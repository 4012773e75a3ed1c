import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Clock } from '../../../clock.ts'
import type { AccessChange, DescribedChange } from './changes.ts'
import { type Channel, joinChannel, type VerifyToken } from './channel.ts'
import { type Frame, type FrameVersion, frameBytes, readFrame, writeFrame } from './frames.ts'

const maxChannels = 100
const maxQueuedFrames = 500
/** Of the frames that wait to be handled. */
const maxQueuedBytes = 1024 * 1024
/** What a client has not read yet. A client that reads more slowly is disconnected; it reconnects and catches up. */
export const maxBacklogBytes = 1024 * 1024
const pingInterval = 30_000
/** A new socket must join a channel within this, because only the join checks a token. Milliseconds. */
export const joinTimeout = 10_000
/** Milliseconds for the client to complete the closing handshake. */
const closeTimeout = 1000

const accessToken = z.object({ access_token: z.string() })

/** A change, and its JSON text. */
export type SerializedChange = { change: DescribedChange; data: string }

export type Connection = {
  /**
   * Writes the frames of all changes at once, because a frame of the protocol holds one change. `encoded` keeps the bytes
   * for the other sockets with the same subscriptions.
   */
  deliver(changes: readonly SerializedChange[], encoded: Map<string, Buffer>): void
  /** Closes the socket if one of its channels was joined by this session or user. The client may join again. */
  applyAccessChange(change: AccessChange): void
  /** Closes the socket with a code that makes the client reconnect. */
  close(): void
}

/** One client's socket with its channels, in the Phoenix protocol. */
export const openConnection = ({
  socket,
  stream,
  version,
  verifyToken,
  accessChanges,
  clock,
  onError,
}: {
  socket: WebSocket
  /** What the WebSocket writes to. */
  stream: Duplex
  version: FrameVersion
  verifyToken: VerifyToken
  /** The number of announced changes of access. */
  accessChanges: () => number
  clock: Clock
  onError: (error: Error) => void
}): Connection => {
  const channels = new Map<string, Channel>()
  let waiting = 0
  let waitingBytes = 0
  let tail = Promise.resolve()
  let hasAnswered = true
  let cancelPing = () => {}

  const close = (code: number, reason: string) => {
    socket.close(code, reason)
    clock.after(closeTimeout, () => socket.terminate())
  }

  const cancelJoinTimeout = clock.after(joinTimeout, () => close(1008, 'no channel joined'))

  /** Nothing is compressed and `ws` writes whole frames, so frames written here stand between those of `ws`. */
  const send = (bytes: Buffer) => {
    if (socket.readyState !== socket.OPEN) return
    // A client that has read everything gets what there is, whatever its size.
    const { bufferedAmount } = socket
    if (bufferedAmount > 0 && bufferedAmount + bytes.length > maxBacklogBytes) return socket.terminate()
    stream.write(bytes)
  }
  const write = (frame: Frame) =>
    send(frameBytes(writeFrame(version, { ...frame, payload: JSON.stringify(frame.payload) })))

  /** Sockets with the same subscriptions get the same bytes. */
  const subscriptions = () =>
    JSON.stringify([version, ...[...channels.values()].map(({ topic, bindings }) => [topic, bindings])])

  const encode = (changes: readonly SerializedChange[]): Buffer =>
    Buffer.concat(
      changes.flatMap(({ change, data }) =>
        [...channels.values()].flatMap((channel) => {
          const ids = channel.idsFor(change)
          if (ids.length === 0) return []
          const { topic } = channel
          const payload = `{"ids":${JSON.stringify(ids)},"data":${data}}`
          const frame = { joinRef: null, ref: null, topic, event: 'postgres_changes', payload }
          return frameBytes(writeFrame(version, frame))
        }),
      ),
    )

  const reply = ({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: unknown) =>
    write({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })

  const pushSystem = ({ topic, joinRef }: Channel, extension: string, status: 'ok' | 'error', message: string) =>
    write({
      joinRef,
      ref: null,
      topic,
      event: 'system',
      payload: { channel: topic.replace(/^realtime:/, ''), extension, message, status },
    })

  const pushSubscribed = (channel: Channel) => {
    if (channel.bindings.length > 0) pushSystem(channel, 'postgres_changes', 'ok', 'Subscribed to PostgreSQL')
  }

  const remove = (channel: Channel) => {
    channel.dispose()
    if (channels.get(channel.topic) === channel) channels.delete(channel.topic)
    const { topic, joinRef } = channel
    write({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} })
  }

  const join = async (frame: Frame) => {
    const { topic, ref } = frame
    const earlier = channels.get(topic)
    if (earlier !== undefined) remove(earlier)
    if (!/^realtime:./s.test(topic)) return reply(frame, 'error', { reason: 'unmatched topic' })
    if (channels.size >= maxChannels)
      return reply(frame, 'error', { reason: 'ChannelRateLimitReached: Too many channels' })
    const changesBefore = accessChanges()
    const outcome = await joinChannel({
      topic,
      joinRef: frame.joinRef ?? ref,
      payload: frame.payload,
      verifyToken,
      onSubscribed: pushSubscribed,
      onEnded: (channel, reason) => {
        pushSystem(channel, 'system', 'error', reason)
        remove(channel)
      },
      accessChanges,
      clock,
    })
    if ('refusal' in outcome) return reply(frame, 'error', { reason: outcome.refusal })
    const { channel } = outcome
    if (socket.readyState !== socket.OPEN) return channel.dispose()
    channels.set(topic, channel)
    cancelJoinTimeout()
    reply(frame, 'ok', { postgres_changes: channel.bindings })
    pushSubscribed(channel)
    if (accessChanges() !== changesBefore) await channel.verify()
  }

  const leave = (frame: Frame) => {
    const channel = channels.get(frame.topic)
    reply(frame, 'ok', {})
    if (channel !== undefined) remove(channel)
  }

  const handle = async (frame: Frame): Promise<void> => {
    const { topic, event } = frame
    if (event === 'phx_join') return join(frame)
    if (event === 'phx_leave') return leave(frame)
    const channel = channels.get(topic)
    if (channel === undefined) return reply(frame, 'error', { reason: 'unmatched topic' })
    if (event === 'access_token') {
      const fresh = accessToken.safeParse(frame.payload)
      if (fresh.success) await channel.updateToken(fresh.data.access_token)
    }
  }

  const ping = () => {
    if (!hasAnswered) return socket.terminate()
    hasAnswered = false
    socket.ping()
    cancelPing = clock.after(pingInterval, ping)
  }
  cancelPing = clock.after(pingInterval, ping)

  socket.on('pong', () => {
    hasAnswered = true
  })
  socket.on('error', () => socket.terminate())
  const dropChannels = () => {
    for (const channel of channels.values()) channel.dispose()
    channels.clear()
  }
  socket.on('close', () => {
    cancelPing()
    cancelJoinTimeout()
    dropChannels()
  })
  socket.on('message', (data, isBinary) => {
    hasAnswered = true
    const text = data.toString()
    const frame = isBinary ? null : readFrame(version, text)
    if (frame === null || waiting >= maxQueuedFrames || waitingBytes + text.length > maxQueuedBytes)
      return socket.close(1008, 'unreadable or too many frames')
    if (frame.topic === 'phoenix' && frame.event === 'heartbeat') return reply(frame, 'ok', {})
    // One frame at a time: a token or a leave that follows a join must be handled after it.
    waiting += 1
    waitingBytes += text.length
    tail = tail
      .then(() => handle(frame))
      .catch((error: Error) => {
        onError(error)
        socket.close(1011, 'internal error')
      })
      .then(() => {
        waiting -= 1
        waitingBytes -= text.length
      })
  })

  return {
    deliver: (changes, encoded) => {
      if (channels.size === 0) return
      const key = subscriptions()
      const bytes = encoded.get(key) ?? encode(changes)
      encoded.set(key, bytes)
      if (bytes.length > 0) send(bytes)
    },
    applyAccessChange: (change) => {
      if (![...channels.values()].some((channel) => channel.isHeldBy(change))) return
      // From now on nothing is delivered, even if the client does not answer the closing handshake.
      dropChannels()
      close(4001, 'access changed')
    },
    close: () => close(1012, 'service restart'),
  }
}
