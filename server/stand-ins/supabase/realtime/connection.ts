import type { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Clock } from '../../../clock.ts'
import type { DescribedChange } from './changes.ts'
import { type Channel, joinChannel, type VerifyToken } from './channel.ts'
import { type Frame, type FrameVersion, readFrame, writeFrame } from './frames.ts'

const mostChannels = 100
const mostWaitingFrames = 500
/** Bytes that may wait for a client that does not read. */
const mostUnread = 8 * 1024 * 1024
const pingInterval = 30_000
/** Milliseconds a new socket has until its first channel is joined: only that takes a token. */
export const joinTime = 10_000
/** Milliseconds a client has to answer our wish to close. */
const closeTime = 2000

const accessToken = z.object({ access_token: z.string() })

export type Connection = {
  deliver(change: DescribedChange, data: string): void
  /** Closes the socket so that its client connects anew. */
  close(): void
}

/** One client's socket: answers the Phoenix protocol and keeps its channels. */
export const openConnection = ({
  socket,
  version,
  verifyToken,
  clock,
  onError,
}: {
  socket: WebSocket
  version: FrameVersion
  verifyToken: VerifyToken
  clock: Clock
  onError: (error: Error) => void
}): Connection => {
  const channels = new Map<string, Channel>()
  let waiting = 0
  let tail = Promise.resolve()
  let alive = true
  let callOffPing = () => {}

  const close = (code: number, reason: string) => {
    socket.close(code, reason)
    clock.after(closeTime, () => socket.terminate())
  }

  const callOffJoinTime = clock.after(joinTime, () => close(1008, 'no channel joined'))

  const send = (text: string) => {
    if (socket.readyState !== socket.OPEN) return
    // A socket that is not read would fill the memory; its client connects anew and catches up.
    if (socket.bufferedAmount > mostUnread) return socket.terminate()
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
    if (channels.size >= mostChannels)
      return reply(frame, 'error', { reason: 'ChannelRateLimitReached: Too many channels' })
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
      clock,
    })
    if ('refusal' in outcome) return reply(frame, 'error', { reason: outcome.refusal })
    const { channel } = outcome
    if (socket.readyState !== socket.OPEN) return channel.dispose()
    channels.set(topic, channel)
    callOffJoinTime()
    reply(frame, 'ok', { postgres_changes: channel.bindings })
    pushSubscribed(channel)
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
      if (fresh.success) await channel.takeToken(fresh.data.access_token)
    }
  }

  const ping = () => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
    callOffPing = clock.after(pingInterval, ping)
  }
  callOffPing = clock.after(pingInterval, ping)

  socket.on('pong', () => {
    alive = true
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    callOffPing()
    callOffJoinTime()
    for (const channel of channels.values()) channel.dispose()
    channels.clear()
  })
  socket.on('message', (data, isBinary) => {
    alive = true
    const frame = isBinary ? null : readFrame(version, data.toString())
    if (frame === null || waiting >= mostWaitingFrames) return socket.close(1008, 'unreadable or too many frames')
    if (frame.topic === 'phoenix' && frame.event === 'heartbeat') return reply(frame, 'ok', {})
    // One frame at a time: a token or a leave that follows a join must find it done.
    waiting += 1
    tail = tail
      .then(() => handle(frame))
      .catch((error: Error) => {
        onError(error)
        socket.close(1011, 'internal error')
      })
      .then(() => {
        waiting -= 1
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
    close: () => close(1012, 'service restart'),
  }
}
