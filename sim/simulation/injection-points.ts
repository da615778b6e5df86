import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { ReadHistory } from '#server/trading/engine/line-decider.ts'
import type { EvidenceParts } from '#server/trading/evidence/evidence-collector.ts'
import { decideSales } from '#server/trading/sales/decide-sales.ts'
import { requestSale } from '#server/trading/sales/sale-desk.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { MemoryDatabase, Specs } from '../memory-store/memory-database.ts'
import { SPECS } from '../memory-store/specs.ts'
import { CATALOGUE } from './seed-world.ts'

/** One change of the schema that plants a bug. */
export type SchemaPatch =
  /** Replaces text in the body of a function. */
  | { readonly inFunction: string; readonly text: string; readonly by: string }
  | { readonly run: readonly string[]; readonly putBack: readonly string[] }

/**
 * The replaceable parts of a simulated server, unchanged by default. A planted bug replaces one of them. The server's
 * code does not know about this.
 */
export interface Parts {
  readonly specs: Specs
  /** Changes the store itself, below the injected faults. */
  readonly store: (store: EngineStore, database: MemoryDatabase) => EngineStore
  /** Changes the store that the engine uses, above the injected faults. */
  readonly engineStore: (store: EngineStore, db: Db) => EngineStore
  /** Changes the prices that the engine reads. */
  readonly ticks: (ticks: Ticks) => Ticks
  readonly catalogue: MarketCatalogue
  /** How the engine reads the replies of a source's record. */
  readonly readHistory: (read: ReadHistory, ticks: Ticks) => ReadHistory
  /** Changes the parts of the server that collect late evidence. */
  readonly evidence: (parts: EvidenceParts) => EvidenceParts
  /** Stores a request to sell an order back, and decides the requests. */
  readonly requestSale: typeof requestSale
  readonly decideSales: typeof decideSales
  /** Changes of the schema of the embedded database, where the run uses it. */
  readonly schema: readonly SchemaPatch[]
  /** Patches a class of the server for one run. The returned function restores it. */
  readonly patch: () => () => void
}

export const UNMODIFIED: Parts = {
  specs: SPECS,
  store: (store) => store,
  engineStore: (store) => store,
  ticks: (ticks) => ticks,
  catalogue: CATALOGUE,
  readHistory: (read) => read,
  evidence: (parts) => parts,
  requestSale,
  decideSales,
  schema: [],
  patch: () => () => undefined,
}
