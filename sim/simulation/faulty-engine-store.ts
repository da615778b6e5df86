import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import { type Door, never, ProcessDied } from './faulty-connection.ts'

/** The engine store with the same injected faults. */
export function faultyEngineStore(store: EngineStore, door: Door): EngineStore {
  async function through<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await door.pass(work, { mayHaunt: true })
    } catch (error) {
      return error instanceof ProcessDied ? await never() : await Promise.reject(error)
    }
  }
  return {
    acceptWhole: (...asked) => through(() => store.acceptWhole(...asked)),
    acceptBatch: (...asked) => through(() => store.acceptBatch(...asked)),
    findByClientOrderId: (userId, id) => through(() => store.findByClientOrderId(userId, id)),
    openExpiries: () => through(() => store.openExpiries()),
    overdueExpiries: (...asked) => through(() => store.overdueExpiries(...asked)),
    writeSettlementPrices: (rows, now) => through(() => store.writeSettlementPrices(rows, now)),
    loadDueOrders: (keys, limit) => through(() => store.loadDueOrders(keys, limit)),
    settleBatch: (...asked) => through(() => store.settleBatch(...asked)),
    findSettled: (keys) => through(() => store.findSettled(keys)),
    checkLedger: (kind) => through(() => store.checkLedger(kind)),
    recountLedger: () => store.recountLedger(),
    endChecks: () => store.endChecks(),
  }
}
