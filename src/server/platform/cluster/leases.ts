import { instant, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  heartbeat,
  type Fence,
  leaveNodes,
  livingNodes,
  type Presence,
  readLeases,
  releaseLeases,
  takeLeases,
} from '#server/platform/cluster/lease.queries.ts'

/** 5 s: how long a silent server keeps its leases. */
export const LEASE_MS = 5 * SECOND_MS
const BEAT_MS = SECOND_MS

/** Tasks that only one server may do at a time, spread evenly over the servers with the role. */
export interface LeaseRequest {
  readonly names: readonly string[]
  readonly role: string
  /** Called when the lease is acquired. Every write under it includes the fence. Called again with another fence after a loss. */
  readonly onAcquired: (fence: Fence) => Promise<void> | void
  /** Called when the lease is lost or uncertain. The lease is released when this resolves. */
  readonly onLost: (lease: string) => Promise<void> | void
}

export interface Leases {
  /** Requests these leases from the next heartbeat on. */
  register(wanted: LeaseRequest): void
  /** Null when this server does not hold the lease, or could not prolong it in time. */
  fenceOf(lease: string): Fence | null
  /** The leases held at this moment. */
  held(): readonly string[]
  /** The other live servers. */
  peers(): readonly Presence[]
  /** Calls the listener when a server has joined or left. */
  onChange(listener: () => void): void
  /** When the database last answered. */
  lastReplyAt(): Instant | null
  start(): Promise<void>
  /** Resolves when the running heartbeat has finished. */
  settled(): Promise<void>
  /** Releases all leases. */
  stop(): Promise<void>
}

interface Held extends Fence {
  readonly wanted: LeaseRequest
  until: Instant
  isLosing: boolean
  /** By our own clock. The database may still count the lease as held. It must not be prolonged then, or no server could ever take it. */
  hasRunOut: boolean
  /** `onAcquired`, which finishes before `onLost` begins. */
  begun: Promise<void>
}

/**
 * Keeps leases in the database: takes free ones, prolongs held ones once a second, and gives up by itself those that it could not prolong.
 * Expiry uses the database's clock. The own clock only makes this server stop early. The token keeps late writers out: the database
 * compares it in the statement that writes.
 */
export function createLeases(
  ctx: Ctx,
  me: Omit<Presence, 'isOnBus'>,
  { leaseMs = LEASE_MS, beatMs = BEAT_MS, isOnBus = (): boolean => false } = {},
): Leases {
  const changeListeners: (() => void)[] = []
  const all: LeaseRequest[] = []
  const held = new Map<string, Held>()
  let liveNodes: readonly Presence[] = []
  let lastReplyAt: Instant | null = null
  let stopped = false
  /** A previous holder in this server's place is gone. That is certain only at the first attempt. */
  let isFirst = true
  let cancelBeat: (() => void) | null = null
  let cancelExpiry: (() => void) | null = null
  let beating: Promise<void> = Promise.resolve()

  /** Not awaited by a heartbeat: slow work must not delay prolonging the other leases. */
  async function onLeaseLost(one: Held): Promise<void> {
    if (one.isLosing) return
    one.isLosing = true
    await one.begun
    try {
      await one.wanted.onLost(one.lease)
    } catch (error) {
      ctx.log.error({ err: error, lease: one.lease }, 'the work under a lease could not be stopped')
    }
    held.delete(one.lease)
  }

  /** Without a reply from the database this server stops by itself, before another server may begin. */
  function expire(): void {
    for (const one of held.values()) {
      if (one.isLosing || ctx.now() < one.until) continue
      ctx.log.warn({ lease: one.lease }, 'a lease ran out')
      one.hasRunOut = true
      void release(one)
    }
  }

  async function round(): Promise<void> {
    expire()
    const requestedAt = ctx.now()
    const mine = [...held.values()].filter(({ hasRunOut }) => !hasRunOut)
    const renewedFences = await heartbeat(ctx.db, { ...me, isOnBus: isOnBus() }, mine, leaseMs)
    lastReplyAt = ctx.now()
    for (const one of mine) {
      if (one.isLosing) continue
      if (renewedFences.some(({ lease, token }) => lease === one.lease && token === one.token)) {
        one.until = instant(requestedAt + leaseMs)
      } else {
        ctx.log.warn({ lease: one.lease }, 'a lease was lost to another server')
        void onLeaseLost(one)
      }
    }
    cancelExpiry?.()
    cancelExpiry = ctx.clock.after(leaseMs, expire)
    const before = liveNodes.map((node) => node.run).join(' ')
    liveNodes = await livingNodes(ctx.db, leaseMs)
    if (liveNodes.map((node) => node.run).join(' ') !== before) for (const listener of changeListeners) listener()
    if (!ctx.clock.isTrusted()) releaseAll()
    else if (!stopped) await seek()
    isFirst = false
  }

  /** Releases everything: a server with an untrusted clock leaves the work to the others. */
  function releaseAll(): void {
    for (const one of held.values()) void release(one)
  }

  async function seek(): Promise<void> {
    const rows = await readLeases(ctx.db, leaseMs)
    for (const wanted of all) {
      const mine = [...held.values()].filter((one) => one.wanted === wanted)
      const share = Math.ceil(wanted.names.length / Math.max(1, withRole(wanted.role)))
      for (const surplus of mine.slice(share)) void release(surplus)
      const free = wanted.names.filter((name) => !held.has(name) && isFree(rows.find(({ lease }) => lease === name)))
      const maxNew = Math.max(0, share - mine.length)
      if (maxNew > 0 && free.length > 0) await take(wanted, free.slice(0, maxNew))
    }
  }

  function withRole(role: string): number {
    return liveNodes.filter(({ roles }) => roles.includes(role)).length
  }

  function isFree(row: { readonly isOver: boolean; readonly owner: string } | undefined): boolean {
    if (row === undefined || row.isOver) return true
    const owner = liveNodes.find((node) => node.run === row.owner)
    return isFirst && row.owner !== me.run && owner?.name === me.name
  }

  async function take(wanted: LeaseRequest, names: readonly string[]): Promise<void> {
    const requestedAt = ctx.now()
    for (const fence of await takeLeases(ctx.db, me, names, { leaseMs, isFirst })) {
      const until = instant(requestedAt + leaseMs)
      const one: Held = { ...fence, wanted, until, isLosing: false, hasRunOut: false, begun: Promise.resolve() }
      held.set(fence.lease, one)
      ctx.log.info({ lease: fence.lease, fence: String(fence.token) }, 'a lease was taken')
      one.begun = begin(one)
    }
  }

  async function begin(one: Held): Promise<void> {
    const { wanted, lease, token } = one
    try {
      await wanted.onAcquired({ lease, token })
    } catch (error) {
      ctx.log.error({ err: error, lease }, 'the work under a lease could not be started')
      void release(one)
    }
  }

  async function release(one: Held): Promise<void> {
    if (one.isLosing) return
    await onLeaseLost(one)
    try {
      await releaseLeases(ctx.db, me.run, [one])
    } catch (error) {
      ctx.log.warn({ err: error, lease: one.lease }, 'a lease could not be released and will run out')
    }
  }

  async function loop(): Promise<void> {
    try {
      await round()
    } catch (error) {
      if (!stopped) ctx.log.warn({ err: error }, 'leases could not be prolonged')
    }
    if (!stopped) cancelBeat = ctx.clock.after(beatMs, run)
  }

  function run(): void {
    beating = loop()
  }

  return {
    register: (wanted) => all.push(wanted),
    fenceOf(lease) {
      const one = held.get(lease)
      return one !== undefined && !one.isLosing && ctx.now() < one.until ? one : null
    },
    held: () => [...held.values()].filter(({ isLosing }) => !isLosing).map(({ lease }) => lease),
    peers: () => liveNodes.filter(({ run: other }) => other !== me.run),
    onChange: (listener) => changeListeners.push(listener),
    lastReplyAt: () => lastReplyAt,
    async start() {
      run()
      await beating
      await Promise.all([...held.values()].map(({ begun }) => begun))
    },
    settled: () => beating,
    async stop() {
      stopped = true
      cancelBeat?.()
      await beating
      cancelExpiry?.()
      const last = [...held.values()]
      await Promise.all(last.map(onLeaseLost))
      if (last.length > 0) await releaseLeases(ctx.db, me.run, last)
      await leaveNodes(ctx.db, me.run)
    },
  }
}

/** Work that one server at a time does. The server starts it with the lease, and stops it when the lease is lost. */
export function oneAtATime(name: string, role: string, begin: () => Promise<() => Promise<void>>): LeaseRequest {
  let end: (() => Promise<void>) | null = null
  return {
    names: [name],
    role,
    onAcquired: async () => {
      end = await begin()
    },
    onLost: () => end?.(),
  }
}
