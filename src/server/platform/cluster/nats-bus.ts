import { createHash } from 'node:crypto'
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Bus, Topic } from '#server/platform/cluster/bus.ts'
import { signMessage, verifyMessage } from '#server/platform/cluster/signed-message.ts'

export interface NatsBusOptions {
  readonly url: string
  readonly log: Log
  /** This run of this server. */
  readonly run: string
  /** Known only to the servers of the database. */
  readonly secret: Uint8Array
}

const TOPICS: readonly Topic[] = ['news', 'ticks']
const RECONNECT_MS = 500
const PING_MS = 5_000

/**
 * The bus over NATS. It only speeds things up: NATS may be down at the start or later, and reconnecting never stops. After each reconnect,
 * and whenever a server's message numbers skip, a gap is reported.
 */
export async function connectNats({ url, log, run, secret }: NatsBusOptions): Promise<Bus> {
  const prefix = `fairwick.${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`
  const listeners: Record<Topic, Set<(body: unknown) => void>> = { news: new Set(), ticks: new Set() }
  const gapListeners = new Set<() => void>()
  const said: Record<Topic, number> = { news: 0, ticks: 0 }
  const lastNumbers = new Map<string, number>()
  const counts = { sent: 0, received: 0, gaps: 0, refused: 0 }
  let connection: NatsConnection | null = null
  let isUp = false
  let stopped = false

  function safely(call: () => void): void {
    try {
      call()
    } catch (error) {
      log.error({ err: error }, 'a message of another server could not be handled')
    }
  }

  function tellGap(): void {
    counts.gaps += 1
    for (const listener of gapListeners) safely(listener)
  }

  function receive(topic: Topic, { data }: Msg): void {
    const message = verifyMessage(secret, topic, data)
    const key = message && `${topic} ${message.from}`
    const before = key === null ? undefined : lastNumbers.get(key)
    if (message === null || key === null || (before !== undefined && message.nth <= before)) {
      counts.refused += 1
      return
    }
    if (message.from === run) return
    counts.received += 1
    lastNumbers.set(key, message.nth)
    for (const listener of listeners[topic]) safely(() => listener(message.body))
    // Reported after the message, so that a receiver that reads the database then reads all of it.
    if (before !== undefined && message.nth !== before + 1) tellGap()
  }

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const status of opened.status()) {
      if (status.type === 'disconnect') {
        isUp = false
        log.warn({}, 'the bus between the servers is disconnected; missed messages are read from the database')
      } else if (status.type === 'reconnect') {
        if (!(await isListening(opened))) continue
        isUp = true
        log.info({}, 'the bus between the servers is back')
        tellGap()
      } else if (status.type === 'slowConsumer') tellGap()
    }
  }

  async function open(): Promise<void> {
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
    if (stopped) return await opened.close()
    connection = opened
    for (const topic of TOPICS) {
      opened.subscribe(`${prefix}.${topic}`, {
        callback: (error, message) => {
          if (error) log.warn({ err: error }, 'the bus between the servers reported an error')
          else safely(() => receive(topic, message))
        },
      })
    }
    // Only after this flush are all later messages received.
    await opened.flush()
    isUp = true
    log.info({}, 'connected to the bus between the servers')
    tellGap()
    void watch(opened)
  }

  const opening = open().catch((error: unknown) => {
    if (!stopped) log.error({ err: error }, 'the bus between the servers cannot be used')
  })

  return {
    publish(topic, body) {
      // Counted even when it cannot be sent, so that other servers notice the gap.
      said[topic] += 1
      if (connection === null || !isUp) return
      counts.sent += 1
      connection.publish(`${prefix}.${topic}`, signMessage(secret, topic, { from: run, nth: said[topic], body }))
    },
    onMessage: (topic, listener) => subscribe(listeners[topic], listener),
    onGap: (listener) => subscribe(gapListeners, listener),
    isConnected: () => isUp,
    counts: () => counts,
    async stop() {
      stopped = true
      isUp = false
      if (connection === null) return
      await connection.drain()
      await opening
    },
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

/** Whether all later messages are received. If not, the connection is lost again. */
function isListening(opened: NatsConnection): Promise<boolean> {
  return opened.flush().then(
    () => true,
    () => false,
  )
}
