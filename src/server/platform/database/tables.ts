import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { AlertsTables } from '#server/platform/database/tables/price-alerts.ts'
import type { AuditTables } from '#server/platform/database/tables/audit.ts'
import type { BackOfficeTables } from '#server/platform/database/tables/back-office.ts'
import type { LedgerTables } from '#server/platform/database/tables/ledger.ts'
import type { MarketDataTables } from '#server/platform/database/tables/market-data.ts'
import type { PaymentsTables } from '#server/platform/database/tables/payments.ts'
import type { PlatformTables } from '#server/platform/database/tables/platform.ts'
import type { ProofTables } from '#server/platform/database/tables/proof.ts'
import type { RegisterTables } from '#server/platform/database/tables/register.ts'
import type { SettingsTables } from '#server/platform/database/tables/settings.ts'
import type { SiteTables } from '#server/platform/database/tables/site.ts'
import type { SocketsTables } from '#server/platform/database/tables/sockets.ts'
import type { TradingTables } from '#server/platform/database/tables/trading.ts'
import type { UsersTables } from '#server/platform/database/tables/users.ts'

/** The database handle: for reads, or to open a transaction. */
export type Db = Kysely<Tables>
/** Inside a transaction use only this handle, and await nothing but the database. */
export type Tx = KyselyTransaction<Tables>

/**
 * The schema as the code sees it, grouped by the folder of `src/server` that owns each table. Only files named
 * `*.queries.ts` use its row types.
 */
export interface Tables
  extends PlatformTables,
    RegisterTables,
    AuditTables,
    SettingsTables,
    MarketDataTables,
    LedgerTables,
    UsersTables,
    AlertsTables,
    TradingTables,
    ProofTables,
    PaymentsTables,
    SiteTables,
    SocketsTables,
    BackOfficeTables {}
