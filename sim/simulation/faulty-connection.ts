import type { Kernel } from '../kernel/kernel.ts'
import type { Random } from '../kernel/random.ts'
import { DatabaseError } from '../memory-store/memory-table.ts'
import type { ProcessState } from './process-state.ts'
import type { Faults } from './plan.ts'

/**
 * Error codes of PostgreSQL and the network: a cut connection, a cancelled statement, a serialization failure, a
 * deadlock, no connections left.
 */
const CODES = ['08006', '57014', '40001', '40P01', '53300']
/** A statement of a killed process may still be executed for this time. */
const GHOST_MS = 200
const USUAL_MS = 3

/** Thrown in a dead process to the code that holds a connection. This code must clean up and then never continue. */
export class ProcessDied extends Error {
  override name = 'ProcessDied'
}

export interface FaultyConnectionParts {
  readonly kernel: Kernel
  readonly random: Random
  readonly state: ProcessState
  readonly faults: () => Faults
  /** Whether the store is unreachable. */
  readonly isOut: () => boolean
}

/** The path of one process to the store and back. The path takes time and injects faults. */
export class FaultyConnection {
  readonly #parts: FaultyConnectionParts

  constructor(parts: FaultyConnectionParts) {
    this.#parts = parts
  }

  /**
   * `mayCompleteAfterCrash`: whether the statement may still take effect when its process dies while it is under way.
   */
  async run<T>(
    work: () => Promise<T>,
    { mayCompleteAfterCrash }: { readonly mayCompleteAfterCrash: boolean },
  ): Promise<T> {
    const { random, state, faults, isOut } = this.#parts
    await this.#way(USUAL_MS)
    if (!state.isAlive) {
      if (mayCompleteAfterCrash && state.deadForMs < GHOST_MS && random.chance(0.5)) await work().catch(() => undefined)
      throw new ProcessDied()
    }
    if (isOut()) throw new DatabaseError('57P03', 'the store is gone')
    if (random.chance(faults().refused)) throw new DatabaseError(random.pick(CODES), 'a statement failed')
    const result = await work()
    await this.#way(0)
    if (!state.isAlive) throw new ProcessDied()
    await state.awake()
    // The process was killed while it was suspended. The store rolls back its open transaction.
    if (!state.isAlive) throw new ProcessDied()
    if (random.chance(faults().lostAck)) throw new DatabaseError('08006', 'the answer was lost')
    return result
  }

  /** Waits for the duration of the statement itself, during which the statement holds its locks. */
  async work(): Promise<void> {
    await this.#way(USUAL_MS)
  }

  async #way(usualMs: number): Promise<void> {
    const { kernel, random, faults } = this.#parts
    const { slow, slowMs } = faults()
    const ms = random.chance(slow) ? random.wait(slowMs) : random.integer(0, usualMs)
    if (ms > 0) await kernel.sleep(ms)
  }
}

/** A promise for a dead process, which never resolves. */
export function never<T>(): Promise<T> {
  return new Promise(() => {})
}
