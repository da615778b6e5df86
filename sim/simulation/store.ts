import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Change } from '../memory-store/memory-transaction.ts'
import type { SharedStore } from './faulty-dialect.ts'
import type { Parts } from './injection-points.ts'

/** The store of a simulation. */
export interface SimStore {
  /** Access without injected faults, for the initial data. */
  readonly db: Db
  readonly shared: SharedStore
  /** Creates the engine store. Null if the store has none. */
  readonly engineStore: ((work: () => Promise<void>) => EngineStore) | null
  /** Whether several commits are observed together. */
  readonly isPolled: boolean
  /** Starts reporting commits. */
  readonly watch: (observe: (changes: readonly Change[]) => void) => void
}

export type MakeStore = (kernel: Kernel, parts: Parts) => Promise<SimStore>
