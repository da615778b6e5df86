import type { Generated } from 'kysely'
import type { Int8, Json } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/settings`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface SettingsTables {
  setting: { key: string; value: Json; updated_ms: Int8; version: Generated<number> }
  /** Each closure of withdrawals by the site. Another row with the same begin ends the closure earlier. */
  withdrawal_closure: { at_ms: Int8; from_ms: Int8; until_ms: Int8; reason: string }
}
