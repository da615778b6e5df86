import { type Kysely, type Migration, sql } from 'kysely'
import { audit } from '#server/platform/database/migrations/baseline/audit.ts'
import { backOffice } from '#server/platform/database/migrations/baseline/back-office.ts'
import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'
import { ledger } from '#server/platform/database/migrations/baseline/ledger.ts'
import { marketData } from '#server/platform/database/migrations/baseline/market-data.ts'
import { payments } from '#server/platform/database/migrations/baseline/payments.ts'
import { platform } from '#server/platform/database/migrations/baseline/platform.ts'
import { proof } from '#server/platform/database/migrations/baseline/proof.ts'
import { settings } from '#server/platform/database/migrations/baseline/settings.ts'
import { site } from '#server/platform/database/migrations/baseline/site.ts'
import { sockets } from '#server/platform/database/migrations/baseline/sockets.ts'
import { tickLogFunctions } from '#server/platform/database/migrations/baseline/tick-log-functions.ts'
import { trading } from '#server/platform/database/migrations/baseline/trading.ts'
import { users } from '#server/platform/database/migrations/baseline/users.ts'

const ROOMS: readonly BaselineRoom[] = [
  platform,
  audit,
  settings,
  marketData,
  tickLogFunctions,
  ledger,
  users,
  trading,
  proof,
  payments,
  site,
  sockets,
  backOffice,
]
const ORDER = ['tables', 'functions', 'indexes', 'foreignKeys', 'triggers'] as const

/**
 * The first schema. Instants are int8 milliseconds UTC (`…_ms`), money is int8 minor units, prices are int8 units of
 * the tick size of their symbol. The keys of tables that belong to users contain `user_id`, so that they can be spread
 * by it.
 */
export const baseline: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Functions may call functions that are created later.
    await sql`set local check_function_bodies = off`.execute(db)
    for (const part of ORDER) {
      for (const statement of ROOMS.flatMap((room) => room[part] ?? [])) await sql.raw(statement).execute(db)
    }
  },
}
