import { isOnScreen } from '#web/live/on-screen.ts'
import type { Placement } from '#web/live/placed-order.ts'
import type { OrderRequest, PendingOrder } from '#web/live/pending-orders.ts'
import { storeOfUser } from '#web/session/store-of-user.ts'

interface UnseenRefusal {
  readonly request: OrderRequest
  /** The server's text in the user's language. Empty if the order did not reach the server. */
  readonly message: string
}

/** Refused orders that no form shows, for example because the user changed the symbol or reloaded the page. */
export const unseenRefusals = storeOfUser<readonly UnseenRefusal[]>([])

/** Keeps the refusal of an order until a toast shows it, unless the order is on screen, or the user cancelled it. */
export function noteRefusal(placement: Placement, { clientOrderId, request }: PendingOrder): void {
  if (placement.kind !== 'refused' || placement.code === 'cancelled' || isOnScreen(clientOrderId)) return
  unseenRefusals.set([...unseenRefusals.get(), { request, message: placement.message }])
}
