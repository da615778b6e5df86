import type { Result } from '#core/result.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'
import type { Row } from '../memory-store/specs.ts'
import type { RequestedOrder } from './order-audit.ts'

interface Asking {
  readonly orders: RequestedOrder[]
  readonly answers: Result<AcceptedOrder, string>[]
  /**
   * Number of requests without a reply. The reply to the last request with this client order id tells their outcome.
   */
  unanswered: number
}

/**
 * Compares the replies that users got with the stored data, because a reply promises that the server has stored what it
 * says.
 */
export class AcknowledgedRequests {
  readonly #complain: (what: string) => void
  readonly #orders = new Map<string, Asking>()
  readonly #results: { readonly userId: string; readonly order: SettledOrder }[] = []
  readonly #payments: { readonly what: string; readonly trx: string; readonly status: number | null }[] = []

  constructor(complain: (what: string) => void) {
    this.#complain = complain
  }

  ask(userId: string, clientOrderId: string, order: RequestedOrder): void {
    const asking = this.#of(userId, clientOrderId)
    asking.orders.push(order)
    asking.unanswered += 1
  }

  ordersOf(userId: string, clientOrderId: string): readonly RequestedOrder[] {
    return this.#orders.get(`${userId} ${clientOrderId}`)?.orders ?? []
  }

  /** `isLast`: no other request with this client order id is pending, so this reply gives the final outcome. */
  answer(userId: string, clientOrderId: string, answer: Result<AcceptedOrder, string>, isLast: boolean): void {
    const asking = this.#of(userId, clientOrderId)
    asking.answers.push(answer)
    asking.unanswered = isLast ? 0 : asking.unanswered - 1
  }

  /** Notes a result that reached its user. */
  result(userId: string, order: SettledOrder): void {
    this.#results.push({ userId, order })
  }

  isDelivered(orderId: string): boolean {
    return this.#results.some(({ order }) => order.orderId === orderId)
  }

  /** Notes a payment that was accepted (`status` null) or decided with this status. */
  payment(what: string, trx: string, status: number | null): void {
    this.#payments.push({ what, trx, status })
  }

  /** Checks all replies against the stored rows. Call it when no request is pending. */
  check(orders: readonly Row[], payments: ReadonlyMap<string, Row>): void {
    const byClient = new Map(orders.map((row) => [`${String(row['user_id'])} ${String(row['client_order_id'])}`, row]))
    for (const [key, asking] of this.#orders) this.#checkOrder(key, asking, byClient.get(key))
    const byId = new Map(orders.map((row) => [String(row['id']), row]))
    const deliveredIds = new Set<string>()
    for (const { userId, order } of this.#results) {
      deliveredIds.add(order.orderId)
      this.#checkResult(userId, order, byId.get(order.orderId))
    }
    for (const row of orders) {
      if (row['result'] !== undefined && !deliveredIds.has(String(row['id'])))
        this.#complain(`the result of ${String(row['id'])} was never told`)
    }
    for (const { what, trx, status } of this.#payments) {
      const row = payments.get(trx)
      if (row === undefined) this.#complain(`I7: ${what} ${trx} was answered and is not there`)
      else if (status !== null && row['status'] !== status)
        this.#complain(`I7: ${what} ${trx} was answered ${status} and is ${String(row['status'])}`)
    }
  }

  #checkOrder(key: string, { answers, unanswered }: Asking, row: Row | undefined): void {
    const acceptedOrders = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    for (const order of acceptedOrders) {
      if (row === undefined) this.#complain(`I7: order ${key} was confirmed and is not there`)
      else if (!isSameOrder(order, row)) this.#complain(`I7: order ${key} was confirmed as another than it is`)
    }
    if (acceptedOrders.length > 0) return
    // The refusal `order_conflict` claims that an order with the same client id and other content exists.
    const isConflict = answers.some((answer) => !answer.ok && answer.refusal === 'order_conflict')
    if (isConflict && row === undefined) this.#complain(`I7: order ${key} was in conflict with none`)
    else if (isConflict) return
    else if (unanswered > 0) this.#complain(`nobody ever answered order ${key}`)
    else if (row !== undefined) this.#complain(`I7: order ${key} was refused and is there`)
  }

  #checkResult(userId: string, order: SettledOrder, row: Row | undefined): void {
    const isRight =
      row !== undefined &&
      row['user_id'] === userId &&
      row['result'] === order.result &&
      row['result_amount'] === order.resultAmount &&
      row['balance_after'] === order.balanceAfter &&
      (row['exit_price'] === null ? null : Number(row['exit_price'])) === order.exitPrice
    if (!isRight) this.#complain(`I7: ${userId} was told another result of ${order.orderId}`)
  }

  #of(userId: string, clientOrderId: string): Asking {
    const key = `${userId} ${clientOrderId}`
    let asking = this.#orders.get(key)
    if (asking === undefined) {
      asking = { orders: [], answers: [], unanswered: 0 }
      this.#orders.set(key, asking)
    }
    return asking
  }
}

function isSameOrder(order: AcceptedOrder, row: Row): boolean {
  return (
    row['id'] === order.orderId &&
    row['trx'] === order.trx &&
    row['stake'] === order.stake &&
    row['direction'] === order.direction &&
    Number(row['entry_seq']) === order.entrySeq &&
    Number(row['entry_price']) === order.entryPrice &&
    Number(row['expires_ms']) === order.expiresAt &&
    row['profit_basis_points'] === order.payout
  )
}
