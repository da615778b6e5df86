import type { ColumnType, Generated } from 'kysely'
import type { AlertKind } from '#core/markets/price-alerts/price-alert.ts'
import type { Int8, Int8OrNull, Int8WithDefault, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/price-alerts`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface AlertsTables {
  alert_mark: {
    only_one: Generated<boolean>
    until_seq: Int8WithDefault
    last_ticks: ColumnType<unknown, string | undefined, string>
  }
  price_alert: {
    user_id: string
    id: string
    symbol_id: number
    kind: AlertKind
    level: Int8OrNull
    /** The move of the price, in hundredths of a percent. */
    move: number | null
    repeats: boolean
    cool_ms: Int8
    expires_ms: Int8
    note: string
    state: Generated<'running' | 'fired' | 'expired' | 'ended'>
    basis_seq: Int8
    basis_price: Int8
    basis_time_ms: Int8
    from_seq: Int8
    armed: Generated<boolean>
    quiet_ms: Int8WithDefault
    round: Generated<number>
    /** The number of the last firing that has a notice. Only the database writes it. */
    notified_round: ColumnType<number, never, never>
    fired_seq: OptionalInt8
    fired_price: OptionalInt8
    fired_time_ms: OptionalInt8
    previous_seq: OptionalInt8
    previous_time_ms: OptionalInt8
    created_ms: Int8
    version: Generated<number>
    change_n: ColumnType<bigint, never, never>
  }
}
