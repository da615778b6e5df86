import { Kysely } from 'kysely'
import { instant } from '#core/time/instant.ts'
import { type Fence, heartbeat, takeLeases } from '#server/platform/cluster/lease.queries.ts'
import type { Db, Tables } from '#server/platform/database/tables.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import { AlertWatcher } from '#server/price-alerts/alert-watcher.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Random } from '../kernel/random.ts'
import { FaultyConnection } from '../simulation/faulty-connection.ts'
import { faultyDialect, type SharedStore } from '../simulation/faulty-dialect.ts'
import type { Faults } from '../simulation/plan.ts'
import { ProcessState } from '../simulation/process-state.ts'

const LEASE_MS = 2_000
const LOOK_MS = 1_000
const TIDY_EVERY = 4

interface AlertProcessParts {
  readonly kernel: Kernel
  readonly random: Random
  readonly name: string
  readonly now: () => number
  readonly faults: () => Faults
  readonly shared: SharedStore
  readonly onEvent: (event: DomainEvent) => void
}

/** A server that watches price alerts while it has their lease, on a connection of its own. */
export class AlertProcess {
  readonly state: ProcessState
  readonly #parts: AlertProcessParts
  readonly #db: Db

  constructor(parts: AlertProcessParts) {
    const { kernel, random, faults, shared } = parts
    this.#parts = parts
    this.state = new ProcessState(kernel)
    const connection = new FaultyConnection({ kernel, random, state: this.state, faults, isOut: () => false })
    this.#db = new Kysely<Tables>({ dialect: faultyDialect(shared, connection) })
  }

  async run(): Promise<void> {
    const { kernel, name } = this.#parts
    const me = { run: name, name, roles: [], isOnBus: false }
    let fence: Fence | null = null
    let watcher: AlertWatcher | null = null
    for (let look = 1; this.state.isAlive; look += 1) {
      try {
        const [held]: Fence[] = fence === null ? [] : await heartbeat(this.#db, me, [fence], LEASE_MS)
        if (held === undefined) {
          ;[fence = null] = await takeLeases(this.#db, me, ['price-alerts'], { leaseMs: LEASE_MS, isFirst: false })
          watcher = fence === null ? null : this.#watcher(fence)
        }
        if (watcher !== null) await this.#read(watcher, look)
      } catch {
        // A failed statement needs no other handling, because the next round repeats the work.
      }
      await kernel.sleep(LOOK_MS)
      await this.state.awake()
    }
  }

  async #read(watcher: AlertWatcher, look: number): Promise<void> {
    while (await watcher.readPortion()) await this.state.awake()
    if (look % TIDY_EVERY === 0) await watcher.tidy()
  }

  #watcher(fence: Fence): AlertWatcher {
    const publish = (event: DomainEvent) => {
      if (this.state.isAlive) this.#parts.onEvent(event)
    }
    return new AlertWatcher({
      ctx: { db: this.#db, now: () => instant(this.#parts.now()), publish },
      fence,
      splitsOf: () => [],
    })
  }
}
