import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/settle.queries.ts'

/** Orders that one statement has just taken, or settled, with all that was known of them: nobody has to read them back. */
export type Committed =
  | { readonly kind: 'accepted'; readonly orders: readonly PlannedOrder[] }
  | { readonly kind: 'result'; readonly orders: readonly ClosedOrder[] }
