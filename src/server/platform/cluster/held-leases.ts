import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { HeldLease } from '#server/platform/cluster/held-lease.ts'
import { type Fence, releaseLeases } from '#server/platform/cluster/lease.queries.ts'
import type { LeaseRequest } from '#server/platform/cluster/lease-request.ts'

/** All leases of this server. Ends each lease that could not be prolonged, without waiting for the database. */
export class HeldLeases {
  readonly #ctx: Ctx
  readonly #run: string
  readonly #leaseMs: number
  readonly #leases = new Map<string, HeldLease>()
  #cancelExpiry: (() => void) | null = null

  constructor(ctx: Ctx, { run, leaseMs }: { readonly run: string; readonly leaseMs: number }) {
    this.#ctx = ctx
    this.#run = run
    this.#leaseMs = leaseMs
  }

  find(lease: string): HeldLease | undefined {
    return this.#leases.get(lease)
  }

  all(): HeldLease[] {
    return [...this.#leases.values()]
  }

  /** Adds leases that the database granted at `requestedAt` or later, and starts their work. */
  add(request: LeaseRequest, fences: readonly Fence[], requestedAt: Instant): void {
    const { log } = this.#ctx
    for (const fence of fences) {
      const one = new HeldLease(fence, request, { until: this.#expiry(requestedAt), log })
      this.#leases.set(fence.lease, one)
      log.info({ lease: fence.lease, fence: String(fence.token) }, 'a lease was taken')
      void this.#start(one)
    }
  }

  /** Applies the reply to a heartbeat that was sent at `requestedAt` for the leases `asked`. */
  applyHeartbeat(asked: readonly HeldLease[], renewed: readonly Fence[], requestedAt: Instant): void {
    for (const one of asked) {
      if (!one.isHeld) continue
      if (renewed.some(({ lease, token }) => lease === one.lease && token === one.token)) {
        one.prolong(this.#expiry(requestedAt))
      } else {
        this.#ctx.log.warn({ lease: one.lease }, 'a lease was lost to another server')
        void this.#stopWork(one, 'releasing')
      }
    }
    this.#cancelExpiry?.()
    this.#cancelExpiry = this.#ctx.clock.after(this.#leaseMs, () => this.expire())
  }

  /**
   * Stops the work of leases that ran out because the database did not reply. No reply is needed, so the work stops
   * before another server may begin it.
   */
  expire(): void {
    const now = this.#ctx.now()
    for (const one of this.#leases.values()) {
      if (!one.hasRunOutAt(now)) continue
      this.#ctx.log.warn({ lease: one.lease }, 'a lease ran out')
      void this.release(one, 'expired')
    }
  }

  /**
   * Stops the work of a lease and then releases the lease. A heartbeat does not wait for this, because slow work must
   * not delay the prolonging of other leases.
   */
  async release(one: HeldLease, reason: 'releasing' | 'expired' = 'releasing'): Promise<void> {
    if (!one.isHeld) return
    await this.#stopWork(one, reason)
    try {
      await releaseLeases(this.#ctx.db, this.#run, [one])
    } catch (error) {
      this.#ctx.log.warn({ err: error, lease: one.lease }, 'a lease could not be released and will run out')
    }
  }

  releaseAll(): void {
    for (const one of this.#leases.values()) void this.release(one)
  }

  async stop(): Promise<void> {
    this.#cancelExpiry?.()
    const last = this.all()
    await Promise.all(last.map((one) => this.#stopWork(one, 'releasing')))
    if (last.length > 0) await releaseLeases(this.#ctx.db, this.#run, last)
  }

  async #start(one: HeldLease): Promise<void> {
    if (!(await one.start())) await this.release(one)
  }

  #expiry(requestedAt: Instant): Instant {
    return instant(requestedAt + this.#leaseMs)
  }

  async #stopWork(one: HeldLease, reason: 'releasing' | 'expired'): Promise<void> {
    if (!one.isHeld) return
    await one.stopWork(reason)
    this.#leases.delete(one.lease)
  }
}
