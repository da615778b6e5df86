import { money } from '#core/money/money.ts'
import type { AcceptRow } from '#server/trading/engine/accept.queries.ts'

/** The answer of the accepting statement to an order that a planted bug refuses. */
export function refusedRow(outcome: AcceptRow['outcome'], own: AcceptRow['own'] = null): AcceptRow {
  return {
    outcome,
    balance: money(0),
    cashLeft: money(0),
    tradeReason: '',
    ownMaximum: null,
    ownOpenMaximum: null,
    openStakeLeft: null,
    openOrdersLeft: 0,
    own,
  }
}
