import type { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Clock } from '../../../clock.ts'
import type { AccessChange, DescribedChange } from './changes.ts'
import { type Channel, joinChannel, type VerifyToken } from './channel.ts'
import { type Frame, type FrameVersion, readFrame, writeFrame } from './frames.ts'

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

export type Connection = {
  deliver(change: DescribedChange, data: string): void
  /** Closes the socket if one of its channels was joined by this session or user. The client may join again. */
  applyAccessChange(change: AccessChange): void
  /** Closes the socket with a code that makes the client reconnect. */
  close(): void
}

/** One client's socket with its channels, in the Phoenix protocol. */
export const openConnection = ({
  socket,
  version,
  verifyToken,
  accessChanges,
  clock,
  onError,
}: {
  socket: WebSocket
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

  const send = (text: string) => {
    if (socket.readyState !== socket.OPEN) return
    // A single frame is sent to a client that has read everything, whatever its size.
    const { bufferedAmount } = socket
    if (bufferedAmount > 0 && bufferedAmount + Buffer.byteLength(text) > maxBacklogBytes) return socket.terminate()
    socket.send(text)
  }
  const write = (frame: Frame) => send(writeFrame(version, { ...frame, payload: JSON.stringify(frame.payload) }))

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
    deliver: (change, data) => {
      for (const channel of channels.values()) {
        const ids = channel.idsFor(change)
        if (ids.length === 0) continue
        const { topic } = channel
        const payload = `{"ids":${JSON.stringify(ids)},"data":${data}}`
        send(writeFrame(version, { joinRef: null, ref: null, topic, event: 'postgres_changes', payload }))
      }
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
