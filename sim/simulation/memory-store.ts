import { Kysely } from 'kysely'
import type { Tables } from '#server/platform/database/tables.ts'
import { SYMBOLS } from '../auditor/site-terms.ts'
import { MemoryDatabase } from '../memory-store/memory-database.ts'
import { memoryDialect } from '../memory-store/memory-dialect.ts'
import { createMemoryEngineStore } from '../memory-store/memory-engine-store.ts'
import type { MakeStore } from './store.ts'

/** A new, empty store in memory that reports every commit. */
export const memoryStore: MakeStore = (_kernel, parts) => {
  const database = new MemoryDatabase(parts.specs)
  const dialect = memoryDialect(database)
  return Promise.resolve({
    db: new Kysely<Tables>({ dialect }),
    shared: { driver: dialect.createDriver(), compiler: () => dialect.createQueryCompiler() },
    engineStore: (work) => parts.store(createMemoryEngineStore(database, work, SYMBOLS), database),
    isPolled: false,
    watch: (observe) => database.onCommit(observe),
  })
}
