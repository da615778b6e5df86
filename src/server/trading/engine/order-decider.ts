import { type Money, moneyText, ZERO } from '#core/money/money.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import { assert, ok, type Refusal, refuse } from '#core/result.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { CapGate } from '#server/trading/engine/cap-gate.ts'
import type { AcceptRow, StaffLimit } from '#server/trading/engine/accept.queries.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import type { OrderAnswer, WaitingOrder } from '#server/trading/engine/order-queue.ts'
import { isOwnRule, type OwnRuleOutcome, ownRuleRefusal } from '#server/trading/engine/own-rule-refusal.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

export interface OrderDeciderParts {
  readonly ctx: Ctx
  readonly store: Pick<
    EngineStore,
    'acceptWholeUsers' | 'acceptBatch' | 'findByClientOrderId' | 'findClosedRefusal' | 'noteLimitReached'
  >
  readonly catalogue: Pick<MarketCatalogue, 'findKnown'>
  readonly caps: Pick<CapGate, 'open' | 'release' | 'noteRefused'>
  readonly maxOpenOrders: number
  /** Called with the orders that one statement has accepted. */
  readonly onBatch: (orders: readonly PlannedOrder[]) => void
  readonly onAccepted: (order: AcceptedOrder, userId: string, group: PriceGroup | undefined) => void
  /** Called with an order that could not be decided yet, to decide it with the next batch. */
  readonly putBack: (order: WaitingOrder) => void
}

/** A waiting order with the terms at which it would be accepted. */
export interface Planned {
  readonly waiting: WaitingOrder
  readonly order: PlannedOrder
}

/**
 * How often a batch is sent again after the database refused it as a whole (a deadlock, or a concurrent insert of the
 * same key).
 */
const MAX_ATTEMPTS = 5
const WORTH_RETRYING = new Set(['23505', '40001', '40P01'])

/** Lets the database decide planned orders, and replies to their users after the commit. */
export class OrderDecider {
  readonly #parts: OrderDeciderParts

  constructor(parts: OrderDeciderParts) {
    this.#parts = parts
  }

  /** Decides planned orders. If one order of a user is above a cap, all orders of this user are decided one by one. */
  async decide(planned: readonly Planned[], lane: number): Promise<void> {
    const each = new Set(planned.flatMap(({ order }) => (order.isAboveCap === true ? order.userId : [])))
    const left = new Set(
      await this.#takeWhole(
        planned.filter(({ order }) => !each.has(order.userId)),
        lane,
      ),
    )
    await this.#decideEach(
      planned.filter((one) => left.has(one) || each.has(one.order.userId)),
      lane,
    )
  }

  /** Accepts the orders that the first statement can accept, and replies to them. Returns the remaining orders. */
  async #takeWhole(planned: readonly Planned[], lane: number): Promise<Planned[]> {
    if (planned.length === 0) return []
    const { store, maxOpenOrders } = this.#parts
    const orders = planned.map(({ order }) => order)
    const balances = await this.#tried(() => store.acceptWholeUsers(orders, maxOpenOrders, lane))
    const acceptedOrders = orders.filter((_, at) => balances[at] !== null)
    this.#noteAccepted(acceptedOrders)
    const left: Planned[] = []
    for (const [at, each] of planned.entries()) {
      const balance = balances[at]
      if (balance === undefined) throw new Error('the statement returned no row for an order')
      if (balance === null) left.push(each)
      else this.#answerAccepted(each, balance)
    }
    return left
  }

  /** Decides each order by itself and replies to all of them. */
  async #decideEach(planned: readonly Planned[], lane: number): Promise<void> {
    if (planned.length === 0) return
    const { store, maxOpenOrders } = this.#parts
    const orders = planned.map(({ order }) => order)
    const rows = await this.#tried(() => store.acceptBatch(orders, maxOpenOrders, lane))
    const acceptedOrders = orders.filter((_, at) => rows[at]?.outcome === 'accepted')
    this.#noteAccepted(acceptedOrders)
    await Promise.all(
      planned.map((each, at) => {
        const row = rows[at]
        if (row === undefined) throw new Error('the statement returned no row for an order')
        return this.#answer(each, row)
      }),
    )
  }

  #noteAccepted(orders: readonly PlannedOrder[]): void {
    if (orders.length === 0) return
    for (const { orderId } of orders) this.#parts.caps.open(orderId)
    this.#parts.onBatch(orders)
  }

  async #tried<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await statement()
      } catch (error) {
        if (tries >= MAX_ATTEMPTS || !WORTH_RETRYING.has(codeOf(error))) throw error
        this.#parts.ctx.log.warn({ code: codeOf(error), tries }, 'an order batch is sent again')
      }
    }
  }

  #answerAccepted({ waiting, order }: Planned, balance: Money): void {
    const accepted = acceptedOrder(order, balance)
    this.#parts.onAccepted(accepted, order.userId, order.group)
    waiting.answer(ok(accepted))
  }

  async #answer({ waiting, order }: Planned, row: AcceptRow): Promise<void> {
    if (row.outcome !== 'accepted') this.#parts.caps.release(order.orderId)
    if (row.outcome === 'accepted') {
      this.#answerAccepted({ waiting, order }, row.balance)
    } else if (row.outcome === 'repeated') {
      await this.answerRepeat(waiting, refuse('order_conflict'))
    } else if (row.outcome === 'insufficient_balance' && order.stake <= row.cashLeft) {
      // An earlier order counted in the running total but was refused, so the cash may cover this order.
      this.#parts.putBack(waiting)
    } else if (row.outcome === 'too_many_open_orders' && row.openOrdersLeft > 0) {
      // Earlier orders were counted as open but were refused, so this order may have a place.
      this.#parts.putBack(waiting)
    } else if (row.outcome === 'above_own_open_stake') {
      // Earlier orders counted in the running total but were refused, so this order may fit the limit.
      if (order.stake <= (row.openStakeLeft ?? ZERO)) this.#parts.putBack(waiting)
      else waiting.answer(refuseStaffLimit('staff_open_limit', row.ownOpenMaximum))
    } else if (row.outcome === 'above_own_maximum') {
      waiting.answer(refuseStaffLimit('staff_limit', row.ownMaximum))
    } else if (row.outcome === 'trade_off') {
      waiting.answer(refuse('trade_off', { params: { reason: row.tradeReason } }))
    } else if (row.outcome === 'exposure_full') {
      // The reply waits until the refusal is counted, but the lane does not.
      void this.#parts.caps.noteRefused(order).then(() => waiting.answer(refuseAboveCap(order)))
    } else if (isOwnRule(row.outcome)) {
      await this.#answerOwnRule({ waiting, order }, { ...row, outcome: row.outcome })
    } else {
      waiting.answer(refuse(row.outcome))
    }
  }

  async #answerOwnRule({ waiting, order }: Planned, row: AcceptRow & { outcome: OwnRuleOutcome }): Promise<void> {
    const { ctx, store } = this.#parts
    const { userId, stake } = order
    if (row.outcome === 'no_mark') ctx.log.error({ userId }, 'a window of an own limit has no mark to begin with')
    try {
      const refusal = await ownRuleRefusal(
        row.outcome,
        { own: row.own, stake },
        { closed: () => store.findClosedRefusal(userId), freesAt: (key) => store.noteLimitReached(userId, key) },
      )
      if (refusal === null) this.#parts.putBack(waiting)
      else waiting.answer(refusal)
    } catch (error) {
      waiting.fail(error)
    }
  }

  /**
   * If an order with this client order id was accepted before, replies with the first reply, or with `order_conflict`
   * when the content differs. Else replies with `refusal`.
   */
  async answerRepeat(waiting: WaitingOrder, refusal: OrderAnswer): Promise<void> {
    const { request } = waiting
    try {
      const first = await this.#parts.store.findByClientOrderId(request.userId, request.clientOrderId)
      if (first === null) waiting.answer(refusal)
      else if (this.#isSame(first, request)) waiting.answer(ok(first))
      else waiting.answer(refuse('order_conflict'))
    } catch (error) {
      waiting.fail(error)
    }
  }

  #isSame(first: AcceptedOrder & { tradeSettingId: number }, request: OrderRequest): boolean {
    // The symbol may have been closed since the first order.
    const symbol = this.#parts.catalogue.findKnown(request.symbol)
    const { marketType, shownPayout = null, shownSeconds = null } = request
    return (
      first.direction === request.direction &&
      first.stake === request.stake &&
      first.tradeSettingId === request.tradeSettingId &&
      first.symbolId === symbol?.id &&
      (marketType === null || marketType === symbol.marketType) &&
      (shownPayout === null || shownPayout === first.payout) &&
      (shownSeconds === null || shownSeconds === first.seconds)
    )
  }
}

function acceptedOrder(order: PlannedOrder, balance: Money): AcceptedOrder {
  const { symbol, terms, entry, openedAt, expiresAt } = order.placement
  return {
    orderId: order.orderId,
    trx: order.trx,
    clientOrderId: order.clientOrderId,
    symbolId: symbol.id,
    direction: order.direction,
    stake: order.stake,
    payout: terms.payout,
    seconds: terms.seconds,
    entrySeq: entry.seq,
    entryPrice: entry.price,
    entryTime: entry.time,
    openedAt,
    expiresAt,
    balance,
  }
}

/**
 * Returns a refusal that names the limit that staff members set for this user, and their reason. The limit is for one
 * stake or for all open stakes together.
 */
function refuseStaffLimit(
  refusal: 'staff_limit' | 'staff_open_limit',
  limit: StaffLimit | null,
): Refusal<OrderRefusal> {
  assert(limit, 'a stake above a limit has a limit')
  return refuse(refusal, { params: { value: moneyText(limit.value), reason: limit.reason } })
}

/** Returns the refusal with the direction and the duration, which the caller turns into text. */
function refuseAboveCap({ direction, placement }: PlannedOrder): Refusal<OrderRefusal> {
  const { symbol, terms } = placement
  return refuse('exposure_full', { params: { side: direction, symbol: symbol.code, seconds: terms.seconds } })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
