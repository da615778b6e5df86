import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { ClosedOrder } from '#server/trading/engine/due-order.ts'

/**
 * Orders that one statement has just accepted or settled, with all known data, so that subscribers need no database
 * read.
 */
export type CommittedBatch =
  | { readonly kind: 'accepted'; readonly orders: readonly PlannedOrder[] }
  | { readonly kind: 'result'; readonly orders: readonly ClosedOrder[] }
