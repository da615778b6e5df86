import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import { type FaultyConnection, never, ProcessDied } from './faulty-connection.ts'

/** Passes all calls of an engine store through a connection that injects faults. */
export function faultyEngineStore(store: EngineStore, connection: FaultyConnection): EngineStore {
  async function through<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await connection.run(work, { mayCompleteAfterCrash: true })
    } catch (error) {
      return error instanceof ProcessDied ? await never() : await Promise.reject(error)
    }
  }
  return {
    acceptWholeUsers: (...args) => through(() => store.acceptWholeUsers(...args)),
    acceptBatch: (...args) => through(() => store.acceptBatch(...args)),
    findClosedRefusal: (userId) => through(() => store.findClosedRefusal(userId)),
    noteLimitReached: (...args) => through(() => store.noteLimitReached(...args)),
    findByClientOrderId: (userId, id) => through(() => store.findByClientOrderId(userId, id)),
    readExposure: (options) => through(() => store.readExposure(options)),
    addCapRefusals: (rows) => through(() => store.addCapRefusals(rows)),
    openExpiries: () => through(() => store.openExpiries()),
    overdueExpiries: (...args) => through(() => store.overdueExpiries(...args)),
    writeSettlementPrices: (rows, now) => through(() => store.writeSettlementPrices(rows, now)),
    loadDueOrders: (keys, limit) => through(() => store.loadDueOrders(keys, limit)),
    settleBatch: (...args) => through(() => store.settleBatch(...args)),
    findSettled: (keys) => through(() => store.findSettled(keys)),
    checkLedger: (kind) => through(() => store.checkLedger(kind)),
    recountLedger: () => store.recountLedger(),
    endChecks: () => store.endChecks(),
  }
}
