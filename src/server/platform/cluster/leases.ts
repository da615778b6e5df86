import { SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { HeldLeases } from '#server/platform/cluster/held-leases.ts'
import {
  type Fence,
  heartbeat,
  leaveNodes,
  livingNodes,
  type Presence,
  readLeases,
  takeLeases,
} from '#server/platform/cluster/lease.queries.ts'
import { LeaseLoop } from '#server/platform/cluster/lease-loop.ts'
import type { LeaseRequest } from '#server/platform/cluster/lease-request.ts'
import { isFree, shareOf } from '#server/platform/cluster/lease-share.ts'

/** 5 s: how long a silent server keeps its leases. */
export const LEASE_MS = 5 * SECOND_MS
const BEAT_MS = SECOND_MS

export interface Leases {
  /** Requests these leases from the next heartbeat on. */
  register(wanted: LeaseRequest): void
  /** Returns the fence of a lease. Null when this server does not hold the lease, or could not prolong it in time. */
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

/**
 * Keeps leases in the database: takes free leases, prolongs held ones once a second, and gives up leases that could not
 * be prolonged. Expiry uses the database's clock. This server's own clock only makes it stop early. The token stops
 * late writes of an earlier holder: the database compares the token in each statement that writes.
 */
export function createLeases(
  ctx: Ctx,
  me: Omit<Presence, 'isOnBus'>,
  { leaseMs = LEASE_MS, beatMs = BEAT_MS, isOnBus = (): boolean => false } = {},
): Leases {
  const changeListeners: (() => void)[] = []
  const requests: LeaseRequest[] = []
  const held = new HeldLeases(ctx, { run: me.run, leaseMs })
  const loop = new LeaseLoop(ctx, beatMs, round)
  let liveNodes: readonly Presence[] = []
  let lastReplyAt: Instant | null = null
  let isFirst = true

  async function round(): Promise<void> {
    held.expire()
    const requestedAt = ctx.now()
    const mine = held.all().filter(({ canBeProlonged }) => canBeProlonged)
    const renewed = await heartbeat(ctx.db, { ...me, isOnBus: isOnBus() }, mine, leaseMs)
    lastReplyAt = ctx.now()
    held.applyHeartbeat(mine, renewed, requestedAt)
    await listNodes()
    // A server with an untrusted clock releases its leases, so that other servers take over the work.
    if (!ctx.clock.isTrusted()) held.releaseAll()
    else if (!loop.isStopped) await takeShare()
    isFirst = false
  }

  async function listNodes(): Promise<void> {
    const before = liveNodes.map((node) => node.run).join(' ')
    liveNodes = await livingNodes(ctx.db, leaseMs)
    if (liveNodes.map((node) => node.run).join(' ') !== before) for (const listener of changeListeners) listener()
  }

  /** Releases the leases that exceed this server's share of each request, or takes the leases that its share lacks. */
  async function takeShare(): Promise<void> {
    const facts = { me, liveNodes, isFirst, rows: await readLeases(ctx.db, leaseMs) }
    for (const request of requests) {
      const mine = held.all().filter((one) => one.request === request)
      const share = shareOf(request, liveNodes)
      for (const surplus of mine.slice(share)) void held.release(surplus)
      const free = request.names.filter((name) => held.find(name) === undefined && isFree(name, facts))
      const names = free.slice(0, Math.max(0, share - mine.length))
      if (names.length === 0) continue
      const requestedAt = ctx.now()
      held.add(request, await takeLeases(ctx.db, me, names, { leaseMs, isFirst }), requestedAt)
    }
  }

  return {
    register: (wanted) => requests.push(wanted),
    fenceOf(lease) {
      const one = held.find(lease)
      return one?.isValidAt(ctx.now()) === true ? one : null
    },
    held: () => held.all().flatMap(({ isHeld, lease }) => (isHeld ? [lease] : [])),
    peers: () => liveNodes.filter(({ run }) => run !== me.run),
    onChange: (listener) => changeListeners.push(listener),
    lastReplyAt: () => lastReplyAt,
    async start() {
      await loop.start()
      await Promise.all(held.all().map((one) => one.whenStarted()))
    },
    settled: () => loop.settled(),
    async stop() {
      await loop.stop()
      await held.stop()
      await leaveNodes(ctx.db, me.run)
    },
  }
}
