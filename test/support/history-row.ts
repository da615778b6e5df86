import type { Insertable } from 'kysely'
import type { Tables } from '#server/platform/database/tables.ts'

type HistoryRow = Insertable<Tables['order_history']>
type RequiredColumn = 'user_id' | 'id' | 'settled_ms'

/**
 * Builds the row of a settled order, by default with a duration of one minute. With a void reason the order is void,
 * otherwise by default a draw.
 */
export function historyRow(own: Pick<HistoryRow, RequiredColumn> & Partial<HistoryRow>): HistoryRow {
  return {
    client_order_id: own.id,
    trx: own.id,
    symbol_id: 1,
    trade_setting_id: 1,
    seconds: 60,
    direction: 1,
    stake: 1n,
    profit_basis_points: 1,
    rule_version: 1,
    entry_seq: 1n,
    entry_price: 1n,
    entry_time_ms: 1n,
    entry_source: 'test',
    opened_ms: Number(own.settled_ms) - 60_000,
    expires_ms: own.settled_ms,
    result: typeof own.void_reason === 'string' ? 4 : 3,
    result_amount: 0n,
    balance_after: 0n,
    exit_seq: null,
    exit_price: null,
    exit_time_ms: null,
    void_reason: null,
    ...own,
  }
}
