import { type Money, moneyText, ZERO } from '#core/money/money.ts'
import { assert, ok, type Refusal, refuse } from '#core/result.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { AcceptRow, StaffLimit } from '#server/trading/engine/accept.queries.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import { OrderPlanner } from '#server/trading/engine/order-planner.ts'
import { DelayedOrders } from '#server/trading/engine/delayed-orders.ts'
import { isOwnRule, type OwnRuleOutcome, ownRuleRefusal } from '#server/trading/engine/own-rule-refusal.ts'
import { type OrderAnswer, OrderQueue, type WaitingOrder } from '#server/trading/engine/order-queue.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface AcceptorOptions {
  readonly ctx: Ctx
  readonly store: Pick<
    EngineStore,
    'acceptWholeUsers' | 'acceptBatch' | 'findByClientOrderId' | 'findClosedRefusal' | 'noteLimitReached'
  >
  readonly ticks: Pick<Ticks, 'latest' | 'doubt' | 'head' | 'feedDelayMs' | 'waitingSince'>
  readonly catalogue: MarketCatalogue
  /** Statements that may run at the same time: one on the embedded database. */
  readonly lanes: number
  readonly maxBatchSize: number
  readonly maxQueueLength: number
  readonly maxOpenOrders: number
  /** Why the server accepts no orders now; null when it accepts them. Checked again when a delayed order is released. */
  readonly closed: () => Extract<OrderRefusal, 'trading_paused' | 'restarting' | 'busy'> | null
  /** Called with the orders that one statement has accepted. */
  readonly onBatch: (orders: readonly PlannedOrder[]) => void
  readonly onAccepted: (order: AcceptedOrder, userId: string, group: PriceGroup | undefined) => void
}

/** A waiting order with the terms at which it would be accepted. */
interface Planned {
  readonly waiting: WaitingOrder
  readonly order: PlannedOrder
}

/** Batches of one lane sent to the database at the same time. The database runs them one after another. */
const MAX_CONCURRENT_BATCHES = 2
/**
 * From 50 waiting orders a lane sends its next batch before the previous batch has returned. With smaller batches the fixed cost of each
 * statement exceeds the idle time saved.
 */
const MIN_PIPELINED_ORDERS = 50
/** How often a batch is sent again after the database refused it as a whole (a deadlock, or a concurrent insert of the same key). */
const MAX_ATTEMPTS = 5
const WORTH_RETRYING = new Set(['23505', '40001', '40P01'])

/**
 * Accepts orders in batches. Waiting orders go out as one statement as soon as a lane is free, so an idle server replies to one order
 * immediately and a busy one to hundreds together. A second statement decides the orders of users whose balance or limits do not cover all
 * their orders. It may run after a later batch has used more of those balances. Replies are sent after the commit.
 *
 * While the prices of a symbol are delayed, an order waits as long as that delay. A user with a faster price source then knows nothing
 * newer than the entry price. The wait depends on the symbol alone.
 */
export class Acceptor {
  readonly #options: AcceptorOptions
  readonly #planner: OrderPlanner
  readonly #queue: OrderQueue
  readonly #held: DelayedOrders
  /** The number of running batches, by lane. */
  readonly #running: number[]
  #largestSeen = 0
  #idle: (() => void)[] = []

  constructor(options: AcceptorOptions) {
    this.#options = options
    this.#planner = new OrderPlanner(options)
    this.#queue = new OrderQueue(options.lanes)
    this.#running = Array.from({ length: options.lanes }, () => 0)
    this.#held = new DelayedOrders(options.ctx.clock, (order) => this.#letGo(order))
  }

  place(request: OrderRequest): Promise<OrderAnswer> {
    return new Promise((answer, fail) => {
      const order = { request, answer, fail }
      const holdMs = this.#planner.holdMs(request)
      const own = this.#held.countOf(request.userId)
      const isFull = this.#isFull() || own >= this.#options.maxOpenOrders
      if (holdMs === 0 && own === 0) this.#enqueue(order)
      // The reply stays `busy`, which is not final: this may be a repeat of an accepted order.
      else if (isFull) answer(refuse('busy'))
      else this.#held.hold(order, holdMs)
    })
  }

  /** Orders that wait until the prices have caught up. */
  get held(): number {
    return this.#held.length
  }

  /** Orders that wait for a lane. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Releases delayed orders. Resolves once no order waits and no batch runs. */
  async stop(): Promise<void> {
    this.#held.releaseAll()
    while (this.#queue.length > 0 || this.#running.some((batches) => batches > 0)) {
      await new Promise<void>((resolve) => this.#idle.push(resolve))
    }
  }

  #letGo(order: WaitingOrder): void {
    const closed = this.#options.closed()
    if (closed === null) this.#enqueue(order)
    else order.answer(refuse(closed))
  }

  #enqueue(order: WaitingOrder): void {
    if (this.#isFull()) {
      order.answer(refuse('busy'))
      return
    }
    this.#queue.add(order)
    this.#pump()
  }

  /** Delayed orders count as well, because they will need a lane too. */
  #isFull(): boolean {
    return this.#held.length + this.#queue.length >= this.#options.maxQueueLength
  }

  #pump(): void {
    for (let lane = 0; lane < this.#options.lanes; lane += 1) {
      while (this.#mayStart(lane)) this.#start(lane)
    }
  }

  /** A large batch starts while the previous batch runs, so that the database can begin it without a pause. */
  #mayStart(lane: number): boolean {
    const waiting = this.#queue.waitingFor(lane)
    const running = this.#running[lane] ?? 0
    if (running === 0) return waiting > 0
    return running < MAX_CONCURRENT_BATCHES && waiting >= Math.min(MIN_PIPELINED_ORDERS, this.#options.maxBatchSize)
  }

  #start(lane: number): void {
    const batch = this.#queue.take(this.#options.maxBatchSize, lane)
    this.#count(lane, 1)
    void this.#take(batch, lane).finally(() => {
      this.#count(lane, -1)
      for (const resolve of this.#idle.splice(0)) resolve()
      this.#pump()
    })
  }

  #count(lane: number, batches: 1 | -1): void {
    this.#running[lane] = (this.#running[lane] ?? 0) + batches
  }

  async #take(batch: WaitingOrder[], lane: number): Promise<void> {
    try {
      const planned: Planned[] = []
      const others: Promise<void>[] = []
      for (const waiting of batch) {
        const plan = this.#planner.plan(waiting.request)
        if (plan.ok) planned.push({ waiting, order: plan.value })
        else others.push(this.#answerRepeat(waiting, plan))
      }
      if (planned.length > 0) this.#noteBatch(planned.length)
      await this.#decideEach(await this.#takeWhole(planned, lane), lane)
      await Promise.all(others)
    } catch (error) {
      for (const waiting of batch) waiting.fail(error)
    }
  }

  /** Accepts the orders that the first statement can accept, and replies to them. Returns the remaining orders. */
  async #takeWhole(planned: readonly Planned[], lane: number): Promise<Planned[]> {
    if (planned.length === 0) return []
    const { store, maxOpenOrders } = this.#options
    const orders = planned.map(({ order }) => order)
    const balances = await this.#tried(() => store.acceptWholeUsers(orders, maxOpenOrders, lane))
    const acceptedOrders = orders.filter((_, at) => balances[at] !== null)
    if (acceptedOrders.length > 0) this.#options.onBatch(acceptedOrders)
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
    const { store, maxOpenOrders } = this.#options
    const orders = planned.map(({ order }) => order)
    const rows = await this.#tried(() => store.acceptBatch(orders, maxOpenOrders, lane))
    const acceptedOrders = orders.filter((_, at) => rows[at]?.outcome === 'accepted')
    if (acceptedOrders.length > 0) this.#options.onBatch(acceptedOrders)
    await Promise.all(
      planned.map((each, at) => {
        const row = rows[at]
        if (row === undefined) throw new Error('the statement returned no row for an order')
        return this.#answer(each, row)
      }),
    )
  }

  async #tried<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await statement()
      } catch (error) {
        if (tries >= MAX_ATTEMPTS || !WORTH_RETRYING.has(codeOf(error))) throw error
        this.#options.ctx.log.warn({ code: codeOf(error), tries }, 'an order batch is sent again')
      }
    }
  }

  #answerAccepted({ waiting, order }: Planned, balance: Money): void {
    const accepted = acceptedOrder(order, balance)
    this.#options.onAccepted(accepted, order.userId, order.group)
    waiting.answer(ok(accepted))
  }

  async #answer({ waiting, order }: Planned, row: AcceptRow): Promise<void> {
    if (row.outcome === 'accepted') {
      this.#answerAccepted({ waiting, order }, row.balance)
    } else if (row.outcome === 'repeated') {
      await this.#answerRepeat(waiting, refuse('order_conflict'))
    } else if (row.outcome === 'insufficient_balance' && order.stake <= row.cashLeft) {
      // An earlier order counted in the running total but was refused, so the cash may cover this order.
      this.#queue.putBack([waiting])
    } else if (row.outcome === 'above_own_open_stake') {
      // Earlier orders counted in the running total but were refused, so this order may fit the limit.
      if (order.stake <= (row.openStakeLeft ?? ZERO)) this.#queue.putBack([waiting])
      else waiting.answer(refuseStaffLimit('staff_open_limit', row.ownOpenMaximum))
    } else if (row.outcome === 'above_own_maximum') {
      waiting.answer(refuseStaffLimit('staff_limit', row.ownMaximum))
    } else if (row.outcome === 'trade_off') {
      waiting.answer(refuse('trade_off', { params: { reason: row.tradeReason } }))
    } else if (isOwnRule(row.outcome)) {
      await this.#answerOwnRule({ waiting, order }, { ...row, outcome: row.outcome })
    } else {
      waiting.answer(refuse(row.outcome))
    }
  }

  async #answerOwnRule({ waiting, order }: Planned, row: AcceptRow & { outcome: OwnRuleOutcome }): Promise<void> {
    const { ctx, store } = this.#options
    const { userId, stake } = order
    if (row.outcome === 'no_mark') ctx.log.error({ userId }, 'a window of an own limit has no mark to begin with')
    try {
      const refusal = await ownRuleRefusal(
        row.outcome,
        { own: row.own, stake },
        { closed: () => store.findClosedRefusal(userId), freesAt: (key) => store.noteLimitReached(userId, key) },
      )
      if (refusal === null) this.#queue.putBack([waiting])
      else waiting.answer(refusal)
    } catch (error) {
      waiting.fail(error)
    }
  }

  /** Replies with the first order's reply when this client order id was accepted before with the same content, else with the refusal. */
  async #answerRepeat(waiting: WaitingOrder, refusal: OrderAnswer): Promise<void> {
    const { request } = waiting
    try {
      const first = await this.#options.store.findByClientOrderId(request.userId, request.clientOrderId)
      if (first === null) waiting.answer(refusal)
      else if (this.#isSame(first, request)) waiting.answer(ok(first))
      else waiting.answer(refuse('order_conflict'))
    } catch (error) {
      waiting.fail(error)
    }
  }

  #isSame(first: AcceptedOrder & { tradeSettingId: number }, request: OrderRequest): boolean {
    const symbol = this.#options.catalogue.find(request.symbol)
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

  #noteBatch(size: number): void {
    if (size <= this.#largestSeen) return
    this.#largestSeen = size
    this.#options.ctx.log.info({ orders: size }, 'largest order batch so far')
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
 * Names the limit that staff set for this user, per stake or for all open stakes together, and the reason that staff
 * gave.
 */
function refuseStaffLimit(
  refusal: 'staff_limit' | 'staff_open_limit',
  limit: StaffLimit | null,
): Refusal<OrderRefusal> {
  assert(limit, 'a stake above a limit has a limit')
  return refuse(refusal, { params: { value: moneyText(limit.value), reason: limit.reason } })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
