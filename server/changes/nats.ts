import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type PubAck,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream'
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node'
import type { Clock } from '../clock.ts'
import type { OpenDatabase } from '../database/database.ts'
import {
  keepQueue,
  publishedTogether,
  publishQueued,
  type QueuedAnnouncement,
  requireQueue,
  streamName,
  tellProcesses,
} from '../database/realtime-queue.ts'
import type { Logger } from '../logger.ts'
import { createWorkLoop } from '../work-loop.ts'
import { createDeliveryShares, type DeliveryShares } from './delivery-shares.ts'
import type { NatsAddress } from './nats-address.ts'
import type { ChangeTransport } from './transport.ts'

/** Milliseconds. */
const connectTimeout = 5_000
const answerTimeout = 5_000
/** A connection without an answer to two pings is closed. */
const pingInterval = 4_000
const heartbeatInterval = 10_000
/** What a killed process left in the queue is published within this. */
const pollInterval = 1_000
/** How long NATS keeps changes, and recognises one that is published again. Listeners read them within a second. */
const keptFor = 120_000
/** A consumer whose process is gone is removed after this. */
const consumerLifetime = 30_000
const maxStreamBytes = 256 * 1024 * 1024
/** Changes that a process has not passed on yet; NATS holds the others. */
const maxBuffered = 500

type NatsTransport = ChangeTransport & {
  shares: DeliveryShares
  /** Whether this process is connected to NATS. */
  isConnected(): boolean
  /** Starts to publish what is queued. */
  start(): void
  stop(): Promise<void>
}

/**
 * Sends committed changes through NATS. The triggers queue them; the process whose transaction it was publishes them after
 * the commit, and deletes them when JetStream has stored them. A listener is one connection: when it breaks, or misses a
 * message, its changes may be lost, and the caller listens again.
 */
export function createNatsTransport({
  database: { db, watchQueue },
  address,
  replicas,
  clock,
  logger,
}: {
  database: Pick<OpenDatabase, 'db' | 'watchQueue'>
  address: NatsAddress
  /** How many servers of a NATS cluster keep the changes. */
  replicas: number
  clock: Clock
  logger: Pick<Logger, 'error'>
}): NatsTransport {
  /** The open connection of the listener, by which this process publishes too. */
  let current: { connection: NatsConnection; stream: JetStreamClient; subject: string } | null = null

  /** The last publication failed, here or in a process that was killed. Some of its messages may be stored. */
  let hasFailed = false

  const shares = createDeliveryShares({ clock })

  async function publish(announcements: readonly QueuedAnnouncement[]): Promise<void> {
    if (current === null) throw new Error('NATS is not connected')
    const { connection, stream, subject } = current
    const store = ({ id, payload }: QueuedAnnouncement, before?: QueuedAnnouncement): Promise<PubAck> => {
      const expect = before === undefined ? {} : { expect: { lastMsgID: String(before.id) } }
      return stream.publish(keptOn(subject), payload, { msgID: String(id), timeout: answerTimeout, ...expect })
    }
    const kept = announcements.filter(({ is_kept }) => is_kept)
    const isRetry = hasFailed
    hasFailed = true
    // A row that was committed since may stand between two that are stored, so none can expect the one before it.
    if (isRetry) for (const one of kept) await store(one)
    // Each follows the one before it, so none overtakes one that was lost on the way.
    else await Promise.all(kept.map((one, index) => store(one, kept[index - 1])))
    for (const { payload, is_kept } of announcements) if (!is_kept) connection.publish(briefOn(subject), payload)
    // Before another process publishes.
    if (announcements.some(({ is_kept }) => !is_kept)) await connection.flush()
    hasFailed = false
  }

  async function publishAll(isRunning: () => boolean): Promise<void> {
    while (isRunning() && current !== null) {
      if ((await publishQueued(db, publish)) < publishedTogether) return
    }
  }

  const loop = createWorkLoop({
    work: publishAll,
    sweep: async () => undefined,
    pollInterval,
    failureMessage: 'changes could not be published to NATS',
    clock,
    logger,
  })
  watchQueue(loop.wake)

  async function open(): Promise<NatsConnection> {
    return connect({
      servers: address.servers,
      ...address.credentials,
      ...(address.needsTls ? { tls: {} } : {}),
      name: 'staff-inbox',
      timeout: connectTimeout,
      pingInterval,
      maxPingOut: 2,
      // The caller listens again, and catches up.
      reconnect: false,
      ignoreClusterUpdates: true,
    })
  }

  const listen: ChangeTransport['listen'] = async (channel, onPayload, onLost) => {
    const connection = await open()
    const name = `inbox-${await streamName(db)}`
    const subject = `${name}.${channel}`
    let isOpen = true
    let leave = () => {}
    const close = async () => {
      if (!isOpen) return
      isOpen = false
      leave()
      if (current?.connection === connection) current = null
      if (!connection.isClosed()) await connection.flush().catch(() => undefined)
      await connection.close()
    }
    const lose = () => {
      if (!isOpen) return
      void close().catch(() => undefined)
      onLost()
    }
    try {
      const manager = await jetstreamManager(connection, { timeout: answerTimeout })
      const info = await ensureStream(manager, {
        name,
        subjects: [keptOn(subject)],
        retention: RetentionPolicy.Limits,
        // Personal data, and nobody reads it after a restart.
        storage: StorageType.Memory,
        max_age: nanos(keptFor),
        duplicate_window: nanos(keptFor),
        max_bytes: maxStreamBytes,
        num_replicas: replicas,
      })
      const listenFrom = info.state.last_seq + 1
      const consumer = await manager.consumers.add(name, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: listenFrom,
        inactive_threshold: nanos(consumerLifetime),
        mem_storage: true,
      })
      const stream = jetstream(connection)
      const messages = await (await stream.consumers.get(name, consumer.name)).consume({ max_messages: maxBuffered })
      const read = async () => {
        let expected = listenFrom
        for await (const message of messages) {
          // The stream was full, or is another one.
          if (message.seq !== expected) break
          expected += 1
          await onPayload(message.string())
        }
      }
      const watch = async () => {
        for await (const { type } of messages.status()) {
          if (brokenConsumer.has(type)) break
        }
      }
      void Promise.race([read(), watch(), connection.closed()]).then(lose, lose)
      connection.subscribe(briefOn(subject), { callback: (_, message) => void onPayload(message.string()) })
      await connection.flush()
      await requireQueue(db)
      if (!isOpen) throw new Error('The connection to NATS was lost')
      current = { connection, stream, subject }
      leave = shares.join(connection, name)
      loop.wake()
      return close
    } catch (error) {
      await close()
      throw error
    }
  }

  return {
    listen,
    tell: async (text) => {
      await keepQueue(db)
      await tellProcesses(db, text)
    },
    heartbeatInterval,
    shares,
    isConnected: () => current !== null,
    start: loop.start,
    stop: loop.stop,
  }
}

const keptOn = (subject: string) => `${subject}.kept`
const briefOn = (subject: string) => `${subject}.brief`

const brokenConsumer: ReadonlySet<string> = new Set([
  'consumer_deleted',
  'consumer_not_found',
  'stream_not_found',
  'no_responders',
  'heartbeats_missed',
])

/** Creates the stream, or gives it the number of replicas. Everything else of a stream is left as operators set it. */
async function ensureStream(
  { streams }: JetStreamManager,
  config: Pick<StreamConfig, 'name' | 'num_replicas'> & Partial<StreamConfig>,
): Promise<StreamInfo> {
  const info = await streams.info(config.name).catch(() => null)
  if (info === null) return streams.add(config)
  if (info.config.num_replicas === config.num_replicas) return info
  return streams.update(config.name, { num_replicas: config.num_replicas })
}
