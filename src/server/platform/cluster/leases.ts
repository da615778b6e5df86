import { instant, SECOND_MS, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  beat,
  type Fence,
  leaveNodes,
  livingNodes,
  type Presence,
  readLeases,
  releaseLeases,
  takeLeases,
} from '#server/platform/cluster/lease.queries.ts'

/** How long a server that says nothing keeps what it holds. */
export const LEASE_MS = 5 * SECOND_MS
const BEAT_MS = SECOND_MS

/** Things of which each may be done by one server at a time. They are spread evenly over those that have the role. */
export interface Wanted {
  readonly names: readonly string[]
  readonly role: string
  /** It is ours: whatever is written under it shows the fence. Called again with another one after it was lost. */
  readonly onTaken: (fence: Fence) => Promise<void> | void
  /** It is not ours any more, or not for certain. It is given back when this has ended. */
  readonly onLost: (lease: string) => Promise<void> | void
}

export interface Leases {
  /** Seeks these from the next beat on. */
  want(wanted: Wanted): void
  /** Null when it is not ours, or when we were away for so long that it may be another's. */
  fenceOf(lease: string): Fence | null
  /** What is ours at this moment. */
  held(): readonly string[]
  /** Other servers that are there. */
  others(): readonly Presence[]
  /** Called when a server has come or gone. */
  onChange(listener: () => void): void
  /** When the database last answered. */
  heardAt(): Instant | null
  start(): Promise<void>
  /** Ends with the beat that is under way. */
  settled(): Promise<void>
  /** Gives everything back. */
  stop(): Promise<void>
}

interface Held extends Fence {
  readonly wanted: Wanted
  until: Instant
  isLosing: boolean
  /** By our own clock. The database may think otherwise, but is not to prolong it: nobody would ever take it again. */
  hasRunOut: boolean
  /** `onTaken`, which ends before `onLost` begins. */
  begun: Promise<void>
}

/**
 * Keeps leases in the database: takes what is free, prolongs what it has once a second, and gives up by itself what it
 * could not prolong. Time is the database's. Our own clock only makes us stop early; what keeps a late writer out is the
 * token, which the database compares in the statement that writes.
 */
export function createLeases(
  ctx: Ctx,
  me: Omit<Presence, 'isOnBus'>,
  { leaseMs = LEASE_MS, beatMs = BEAT_MS, isOnBus = (): boolean => false } = {},
): Leases {
  const changeListeners: (() => void)[] = []
  const all: Wanted[] = []
  const held = new Map<string, Held>()
  let living: readonly Presence[] = []
  let heardAt: Instant | null = null
  let stopped = false
  /** Whoever held something in our place before us is gone; after that nobody is in our place but us. */
  let isFirst = true
  let cancelBeat: (() => void) | null = null
  let cancelExpiry: (() => void) | null = null
  let beating: Promise<void> = Promise.resolve()

  /** Never awaited by a beat: what takes long must not keep the other leases from being prolonged. */
  async function lose(one: Held): Promise<void> {
    if (one.isLosing) return
    one.isLosing = true
    await one.begun
    try {
      await one.wanted.onLost(one.lease)
    } catch (error) {
      ctx.log.error({ err: error, lease: one.lease }, 'what a lease is for could not end')
    }
    held.delete(one.lease)
  }

  /** Without an answer of the database we stop by ourselves, before anyone else may begin. */
  function expire(): void {
    for (const one of held.values()) {
      if (one.isLosing || ctx.now() < one.until) continue
      ctx.log.warn({ lease: one.lease }, 'a lease ran out')
      one.hasRunOut = true
      void giveBack(one)
    }
  }

  async function round(): Promise<void> {
    expire()
    const askedAt = ctx.now()
    const mine = [...held.values()].filter(({ hasRunOut }) => !hasRunOut)
    const kept = await beat(ctx.db, { ...me, isOnBus: isOnBus() }, mine, leaseMs)
    heardAt = ctx.now()
    for (const one of mine) {
      if (one.isLosing) continue
      if (kept.some(({ lease, token }) => lease === one.lease && token === one.token)) {
        one.until = instant(askedAt + leaseMs)
      } else {
        ctx.log.warn({ lease: one.lease }, 'a lease was lost to another server')
        void lose(one)
      }
    }
    cancelExpiry?.()
    cancelExpiry = ctx.clock.after(leaseMs, expire)
    const before = living.map((node) => node.run).join(' ')
    living = await livingNodes(ctx.db, leaseMs)
    if (living.map((node) => node.run).join(' ') !== before) for (const listener of changeListeners) listener()
    if (!ctx.clock.isTrusted()) giveAllBack()
    else if (!stopped) await seek()
    isFirst = false
  }

  /** A server that does not know the time leaves the work to the others. */
  function giveAllBack(): void {
    for (const one of held.values()) void giveBack(one)
  }

  async function seek(): Promise<void> {
    const rows = await readLeases(ctx.db, leaseMs)
    for (const wanted of all) {
      const mine = [...held.values()].filter((one) => one.wanted === wanted)
      const share = Math.ceil(wanted.names.length / Math.max(1, withRole(wanted.role)))
      for (const surplus of mine.slice(share)) void giveBack(surplus)
      const free = wanted.names.filter((name) => !held.has(name) && isFree(rows.find(({ lease }) => lease === name)))
      const most = Math.max(0, share - mine.length)
      if (most > 0 && free.length > 0) await take(wanted, free.slice(0, most))
    }
  }

  function withRole(role: string): number {
    return living.filter(({ roles }) => roles.includes(role)).length
  }

  function isFree(row: { readonly isOver: boolean; readonly owner: string } | undefined): boolean {
    if (row === undefined || row.isOver) return true
    const owner = living.find((node) => node.run === row.owner)
    return isFirst && row.owner !== me.run && owner?.name === me.name
  }

  async function take(wanted: Wanted, names: readonly string[]): Promise<void> {
    const askedAt = ctx.now()
    for (const fence of await takeLeases(ctx.db, me, names, { leaseMs, isFirst })) {
      const until = instant(askedAt + leaseMs)
      const one: Held = { ...fence, wanted, until, isLosing: false, hasRunOut: false, begun: Promise.resolve() }
      held.set(fence.lease, one)
      ctx.log.info({ lease: fence.lease, fence: String(fence.token) }, 'a lease was taken')
      one.begun = begin(one)
    }
  }

  async function begin(one: Held): Promise<void> {
    const { wanted, lease, token } = one
    try {
      await wanted.onTaken({ lease, token })
    } catch (error) {
      ctx.log.error({ err: error, lease }, 'what a lease is for could not begin')
      void giveBack(one)
    }
  }

  async function giveBack(one: Held): Promise<void> {
    if (one.isLosing) return
    await lose(one)
    try {
      await releaseLeases(ctx.db, me.run, [one])
    } catch (error) {
      ctx.log.warn({ err: error, lease: one.lease }, 'a lease could not be given back and will run out')
    }
  }

  async function again(): Promise<void> {
    try {
      await round()
    } catch (error) {
      if (!stopped) ctx.log.warn({ err: error }, 'leases could not be prolonged')
    }
    if (!stopped) cancelBeat = ctx.clock.after(beatMs, run)
  }

  function run(): void {
    beating = again()
  }

  return {
    want: (wanted) => all.push(wanted),
    fenceOf(lease) {
      const one = held.get(lease)
      return one !== undefined && !one.isLosing && ctx.now() < one.until ? one : null
    },
    held: () => [...held.values()].filter(({ isLosing }) => !isLosing).map(({ lease }) => lease),
    others: () => living.filter(({ run: other }) => other !== me.run),
    onChange: (listener) => changeListeners.push(listener),
    heardAt: () => heardAt,
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
      await Promise.all(last.map(lose))
      if (last.length > 0) await releaseLeases(ctx.db, me.run, last)
      await leaveNodes(ctx.db, me.run)
    },
  }
}

/** Work that one server at a time does: begun when it falls to us, ended when it is another's. */
export function oneAtATime(name: string, role: string, begin: () => Promise<() => Promise<void>>): Wanted {
  let end: (() => Promise<void>) | null = null
  return {
    names: [name],
    role,
    onTaken: async () => {
      end = await begin()
    },
    onLost: () => end?.(),
  }
}
