// Clients in a separate process that measure the age of the prices they receive.
import type { Socket } from 'node:net'
import { openMany, openRawClient } from './raw-client.ts'

/** Clients to open, or a request for the ages of the prices received since the last request. */
export type ToListeningSink = ListenTo | 'ages'
export interface ListenTo {
  readonly port: number
  readonly path: string
  readonly say?: string
  readonly clients: number
  /** Whether a client reconnects after the server closed it. */
  readonly comesBack?: boolean
  /** The first address to use, 127.0.0.`from`: the server limits the connections per address. */
  readonly from?: number
}
export interface Ages {
  /** Number of received prices, over all clients. */
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly closed: number
}
export type FromListeningSink = { readonly open: number } | { readonly ages: Ages } | { readonly failed: string }

const MAX_AGE_MS = 20_000
const PER_ADDRESS = 1_500
const AGAIN_MS = 200

const counts = new Uint32Array(MAX_AGE_MS + 1)
let closed = 0
/** Clients with the same subscription receive the same text in a row, so it is parsed once. */
let lastText = ''
let lastTimes: readonly number[] = []

process.on('message', (message: ToListeningSink) => {
  if (message === 'ages') tell({ ages: takeAges() })
  else
    openMany(message.clients, (nth) => open(message, nth)).then(
      (sockets) => tell({ open: sockets.length }),
      (error: unknown) => tell({ failed: String(error) }),
    )
})
process.on('disconnect', () => process.exit(0))

function open(wanted: ListenTo, nth: number): Promise<Socket> {
  const { port, path, say, from, comesBack = false } = wanted
  return openRawClient({
    port,
    path,
    ...(say !== undefined && { say }),
    ...(from !== undefined && { from: `127.0.0.${from + Math.floor(nth / PER_ADDRESS)}` }),
    onText: hear,
    onClose() {
      closed += 1
      if (comesBack) setTimeout(() => void open(wanted, nth), AGAIN_MS)
    },
  })
}

function hear(text: string): void {
  const now = Date.now()
  if (text !== lastText) {
    lastText = text
    lastTimes = timesOf(text)
  }
  for (const time of lastTimes) {
    const age = Math.min(MAX_AGE_MS, Math.max(0, now - time))
    counts[age] = (counts[age] ?? 0) + 1
  }
}

function timesOf(text: string): number[] {
  const payload = JSON.parse(text) as { E?: number } | { E?: number }[]
  return (Array.isArray(payload) ? payload : [payload]).flatMap(({ E }) => E ?? [])
}

function takeAges(): Ages {
  const count = counts.reduce((sum, one) => sum + one, 0)
  const ages = { count, p50: ageAt(count * 0.5), p99: ageAt(count * 0.99), max: ageAt(count - 1), closed }
  counts.fill(0)
  closed = 0
  return ages
}

/**
 * Returns the age in ms of the price at position `many` (from 0) when the received prices are sorted by age. NaN if
 * fewer prices were received.
 */
function ageAt(many: number): number {
  let sum = 0
  for (const [age, count] of counts.entries()) {
    sum += count
    if (sum > many) return age
  }
  return Number.NaN
}

function tell(message: FromListeningSink): void {
  process.send?.(message)
}
