import { createHash } from 'node:crypto'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Bus, BusCounts, Topic } from '#server/platform/cluster/bus.ts'
import { PeerMessages } from '#server/platform/cluster/peer-messages.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { signMessage } from '#server/platform/cluster/signed-message.ts'

export interface NatsBusOptions {
  readonly url: string
  readonly log: Log
  /** The random id of this process run. */
  readonly run: string
  /** The secret that only the servers of this database know. */
  readonly secret: Uint8Array
}

const TOPICS: readonly Topic[] = ['news', 'ticks']
const RECONNECT_MS = 500
const PING_MS = 5_000
/** How long a stop waits until NATS has taken the last messages. */
const DRAIN_WITHIN_MS = 1_000

/**
 * The bus over NATS. Without messages other servers see changes later, but work correctly. So NATS may be down at the
 * start or later, and the bus never stops trying to reconnect. A gap is reported after each reconnect, and whenever a
 * server's message numbers skip.
 */
export class NatsBus implements Bus {
  readonly #options: NatsBusOptions
  readonly #prefix: string
  readonly #listeners: Record<Topic, Set<(body: unknown) => void>> = { news: new Set(), ticks: new Set() }
  readonly #gapListeners = new Set<() => void>()
  readonly #peers: PeerMessages
  readonly #lastNumbers: Record<Topic, number> = { news: 0, ticks: 0 }
  readonly #opening: Promise<void>
  #connection: NatsConnection | null = null
  #isUp = false
  #isStopped = false
  #sent = 0
  #gaps = 0

  /** Connects in the background. */
  constructor(options: NatsBusOptions) {
    this.#options = options
    this.#prefix = `fairwick.${createHash('sha256').update(options.secret).digest('hex').slice(0, 12)}`
    this.#peers = new PeerMessages(options)
    this.#opening = this.#open().catch((error: unknown) => {
      if (!this.#isStopped) options.log.error({ err: error }, 'the bus between the servers cannot be used')
    })
  }

  publish(topic: Topic, body: unknown): void {
    // The message is counted even when it cannot be sent, so that other servers notice the gap.
    this.#lastNumbers[topic] += 1
    if (this.#connection === null || !this.#isUp) return
    this.#sent += 1
    const { run, secret } = this.#options
    const message = signMessage(secret, topic, { from: run, nth: this.#lastNumbers[topic], body })
    this.#connection.publish(this.#subjectOf(topic), message)
  }

  onMessage(topic: Topic, listener: (body: unknown) => void): () => void {
    return subscribe(this.#listeners[topic], listener)
  }

  onGap(listener: () => void): () => void {
    return subscribe(this.#gapListeners, listener)
  }

  isConnected(): boolean {
    return this.#isUp
  }

  counts(): BusCounts {
    return { sent: this.#sent, received: this.#peers.received, gaps: this.#gaps, refused: this.#peers.refused }
  }

  async stop(): Promise<void> {
    const wasUp = this.#isUp
    this.#isStopped = true
    this.#isUp = false
    if (this.#connection === null) return
    // A lost NATS takes no last messages, and must not hold up the stop: other servers see the gap.
    if (wasUp) await endOf(this.#connection.drain())
    await this.#connection.close()
    await this.#opening
  }

  #subjectOf(topic: Topic): string {
    return `${this.#prefix}.${topic}`
  }

  async #open(): Promise<void> {
    const { log, run, url } = this.#options
    const opened = await connect({
      ...addressOf(url),
      name: run,
      noEcho: true,
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS,
      waitOnFirstConnect: true,
      pingInterval: PING_MS,
      ignoreAuthErrorAbort: true,
    })
    if (this.#isStopped) return await opened.close()
    this.#connection = opened
    for (const topic of TOPICS) {
      opened.subscribe(this.#subjectOf(topic), {
        callback: (error, message) => {
          if (error) log.warn({ err: error }, 'the bus between the servers reported an error')
          else this.#safely(() => this.#receive(topic, message))
        },
      })
    }
    // After this flush NATS knows the subscriptions, so this server receives all messages that are sent from now on.
    await opened.flush()
    this.#isUp = true
    log.info({}, 'connected to the bus between the servers')
    this.#notifyGap()
    void this.#watch(opened)
  }

  async #watch(opened: NatsConnection): Promise<void> {
    const { log } = this.#options
    for await (const status of opened.status()) {
      if (status.type === 'disconnect') {
        this.#isUp = false
        log.warn({}, 'the bus between the servers is disconnected; missed messages are read from the database')
      } else if (status.type === 'reconnect') {
        if (!(await isListening(opened))) continue
        this.#isUp = true
        log.info({}, 'the bus between the servers is back')
        this.#notifyGap()
      } else if (status.type === 'slowConsumer') this.#notifyGap()
    }
  }

  #receive(topic: Topic, { data }: Msg): void {
    const message = this.#peers.read(topic, data)
    if (message === null) return
    for (const listener of this.#listeners[topic]) this.#safely(() => listener(message.body))
    // The gap is reported after the message, so that a receiver that then reads the database misses nothing.
    if (message.isAfterGap) this.#notifyGap()
  }

  #notifyGap(): void {
    this.#gaps += 1
    for (const listener of this.#gapListeners) this.#safely(listener)
  }

  #safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#options.log.error({ err: error }, 'a message of another server could not be handled')
    }
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** `nats://user:password@host:4222`, or `nats://token@host:4222`; `tls:` asks for TLS. */
function addressOf(text: string) {
  const url = new URL(text)
  const user = decodeURIComponent(url.username)
  const pass = decodeURIComponent(url.password)
  return {
    servers: `${url.hostname}:${url.port || '4222'}`,
    ...(pass !== '' && { user, pass }),
    ...(user !== '' && pass === '' && { token: user }),
    ...(url.protocol === 'tls:' && { tls: {} }),
  }
}

/**
 * Returns whether NATS knows the subscriptions, so that this server receives all later messages. If not, the connection
 * was lost again.
 */
function isListening(opened: NatsConnection): Promise<boolean> {
  return opened.flush().then(
    () => true,
    () => false,
  )
}

/** Waits until `work` ends in any way, and 1 s at most. */
function endOf(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = systemClock.after(DRAIN_WITHIN_MS, resolve)
    const end = (): void => {
      cancel()
      resolve()
    }
    work.then(end, end)
  })
}
