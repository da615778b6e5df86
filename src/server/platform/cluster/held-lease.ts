import type { Instant } from '#core/time/instant.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { LeaseRequest } from '#server/platform/cluster/lease-request.ts'
import type { Log } from '#server/platform/runtime/ports.ts'

/**
 * `held`: work may run under the lease. `releasing`: the work is being stopped, and the lease is prolonged until the
 * work has stopped. `expired`: the work is being stopped, but the lease has run out by this server's clock. The
 * database may still count an expired lease as held. It must not be prolonged, or no server could ever take it.
 */
type State = 'held' | 'releasing' | 'expired'

/** One lease of this server, and the work under it. */
export class HeldLease implements Fence {
  readonly lease: string
  readonly token: bigint
  readonly request: LeaseRequest
  readonly #log: Log
  #state: State = 'held'
  #until: Instant
  /** Whether `onAcquired` succeeded. It finishes before `onLost` begins. */
  #started: Promise<boolean> = Promise.resolve(true)

  constructor({ lease, token }: Fence, request: LeaseRequest, { until, log }: { until: Instant; log: Log }) {
    this.lease = lease
    this.token = token
    this.request = request
    this.#until = until
    this.#log = log
  }

  get isHeld(): boolean {
    return this.#state === 'held'
  }

  get canBeProlonged(): boolean {
    return this.#state !== 'expired'
  }

  isValidAt(now: Instant): boolean {
    return this.#state === 'held' && now < this.#until
  }

  /** Returns whether the lease ran out while its work may still run. */
  hasRunOutAt(now: Instant): boolean {
    return this.#state === 'held' && now >= this.#until
  }

  prolong(until: Instant): void {
    this.#until = until
  }

  /** Starts the work. Resolves to false when it could not be started. */
  start(): Promise<boolean> {
    this.#started = this.#acquired()
    return this.#started
  }

  /** Resolves when the work has started or failed to. */
  async whenStarted(): Promise<void> {
    await this.#started
  }

  async #acquired(): Promise<boolean> {
    try {
      await this.request.onAcquired({ lease: this.lease, token: this.token })
      return true
    } catch (error) {
      this.#log.error({ err: error, lease: this.lease }, 'the work under a lease could not be started')
      return false
    }
  }

  /** Stops the work. The lease is unusable at once. Must be called only while it is held. */
  async stopWork(reason: Exclude<State, 'held'>): Promise<void> {
    this.#state = reason
    await this.#started
    try {
      await this.request.onLost(this.lease)
    } catch (error) {
      this.#log.error({ err: error, lease: this.lease }, 'the work under a lease could not be stopped')
    }
  }
}
