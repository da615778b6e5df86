import type { Kernel } from '../kernel/kernel.ts'
import type { Random } from '../kernel/random.ts'
import { DatabaseError } from '../memory-store/memory-table.ts'
import type { Life } from './process-state.ts'
import type { Faults } from './plan.ts'

/** What PostgreSQL and the network say: a cut connection, a cancelled statement, a lost serialization, a deadlock. */
const CODES = ['08006', '57014', '40001', '40P01', '53300']
/** A statement of a process that has just been killed may still be carried out. */
const GHOST_MS = 200
const USUAL_MS = 3

/** Thrown to whoever holds a connection for a process that has died: to clean up, and never to be heard of again. */
export class ProcessDied extends Error {
  override name = 'ProcessDied'
}

export interface DoorParts {
  readonly kernel: Kernel
  readonly random: Random
  readonly life: Life
  readonly faults: () => Faults
  /** The store is gone. */
  readonly isOut: () => boolean
}

/** The way of one process to the store and back: it takes time, and things go wrong on it. */
export class Door {
  readonly #parts: DoorParts

  constructor(parts: DoorParts) {
    this.#parts = parts
  }

  /** `mayHaunt`: whether a process that dies on the way may still get this done. */
  async pass<T>(work: () => Promise<T>, { mayHaunt }: { readonly mayHaunt: boolean }): Promise<T> {
    const { random, life, faults, isOut } = this.#parts
    await this.#way(USUAL_MS)
    if (!life.isAlive) {
      if (mayHaunt && life.deadForMs < GHOST_MS && random.chance(0.5)) await work().catch(() => undefined)
      throw new ProcessDied()
    }
    if (isOut()) throw new DatabaseError('57P03', 'the store is gone')
    if (random.chance(faults().refused)) throw new DatabaseError(random.pick(CODES), 'a statement failed')
    const result = await work()
    await this.#way(0)
    if (!life.isAlive) throw new ProcessDied()
    await life.awake()
    // Killed while it stood still: the store takes back what was open.
    if (!life.isAlive) throw new ProcessDied()
    if (random.chance(faults().lostAck)) throw new DatabaseError('08006', 'the answer was lost')
    return result
  }

  /** How long a statement itself takes, with its locks held. */
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

/** What a dead process waits for. */
export function never<T>(): Promise<T> {
  return new Promise(() => {})
}
