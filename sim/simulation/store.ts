import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Change } from '../memory-store/memory-transaction.ts'
import type { SharedStore } from './faulty-dialect.ts'
import type { Parts } from './injection-points.ts'

/** What a simulation is played on. */
export interface SimStore {
  /** Without anything going wrong: for what is there before the beginning. */
  readonly db: Db
  readonly shared: SharedStore
  /** The engine's own door, where the store has one. */
  readonly engineStore: ((work: () => Promise<void>) => EngineStore) | null
  /** Whether several commits are seen as one. */
  readonly isPolled: boolean
  /** From now on tells of what is committed. */
  readonly watch: (observe: (changes: readonly Change[]) => void) => void
}

export type MakeStore = (kernel: Kernel, parts: Parts) => Promise<SimStore>
