import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { MemoryDatabase, Specs } from '../memory-store/memory-database.ts'
import { SPECS } from '../memory-store/specs.ts'
import { CATALOGUE } from './seed-world.ts'

/**
 * The joints of a simulated server, each as it is. A planted bug puts something of its own in one of them; the server's
 * code knows nothing of it.
 */
export interface Parts {
  readonly specs: Specs
  /** The store itself, below everything that can go wrong on the way to it. */
  readonly store: (store: EngineStore, database: MemoryDatabase) => EngineStore
  /** The store as the engine sees it. */
  readonly engineStore: (store: EngineStore) => EngineStore
  /** The prices as the engine sees them. */
  readonly ticks: (ticks: Ticks) => Ticks
  readonly catalogue: MarketCatalogue
  /** Changes a class of the server for one run; the answer puts it back. */
  readonly patch: () => () => void
}

export const AS_IT_IS: Parts = {
  specs: SPECS,
  store: (store) => store,
  engineStore: (store) => store,
  ticks: (ticks) => ticks,
  catalogue: CATALOGUE,
  patch: () => () => undefined,
}
