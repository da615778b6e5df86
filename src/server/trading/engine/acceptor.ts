import { isPracticeId } from '#core/accounts/practice.ts'
import { refuse } from '#core/result.ts'
import type { CapGate } from '#server/trading/engine/cap-gate.ts'
import { DelayedOrders } from '#server/trading/engine/delayed-orders.ts'
import type { OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import { OrderDecider, type OrderDeciderParts, type Planned } from '#server/trading/engine/order-decider.ts'
import { PRACTICE_ROOM } from '#server/trading/engine/load-shedding.ts'
import { OrderPlanner } from '#server/trading/engine/order-planner.ts'
import { type OrderAnswer, OrderQueue, type WaitingOrder } from '#server/trading/engine/order-queue.ts'
import { shardOf } from '#server/trading/engine/user-shards.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'

export interface AcceptorOptions extends Omit<OrderDeciderParts, 'putBack'> {
  readonly ticks: Pick<Ticks, 'latest' | 'doubt' | 'head' | 'feedDelayMs' | 'waitingSince'>
  readonly catalogue: MarketCatalogue
  readonly caps: OrderDeciderParts['caps'] &
    Pick<CapGate, 'isOn' | 'isReady' | 'isTakenOver' | 'prepare' | 'distrust' | 'distrustStrays' | 'claim'>
  /**
   * The number of lanes. Each lane accepts the orders of a fixed part of the users, on its own database connection. The
   * embedded database has one lane.
   */
  readonly lanes: number
  readonly maxBatchSize: number
  readonly maxQueueLength: number
  /**
   * Why the server accepts no orders now; null when it accepts them. Checked again when a delayed order is released.
   */
  readonly closed: () => Extract<OrderRefusal, 'trading_paused' | 'restarting' | 'busy'> | null
}

/** Batches of one lane sent to the database at the same time. The database runs them one after another. */
const MAX_CONCURRENT_BATCHES = 2
/**
 * From 50 waiting orders on, a lane sends its next batch before the previous batch has returned. For smaller batches,
 * the fixed cost of a statement exceeds the idle time that this saves.
 */
const MIN_PIPELINED_ORDERS = 50

/**
 * Accepts orders in batches. As soon as a lane is free, it sends its waiting orders as one statement. So an idle server
 * replies to one order immediately, and a busy server to hundreds together. A second statement decides the orders of
 * users whose balance or limits do not cover all their orders. This second statement may run after a later batch has
 * already used more of those balances. Replies are sent after the commit.
 *
 * While the prices of a symbol are delayed, an order waits for the duration of that delay. Then even a user with a
 * faster price source knows no price that is newer than the entry price. The duration depends on the symbol alone.
 *
 * While a cap is in force, the lanes start together, with the oldest orders of all lanes. Orders claim room under the
 * cap in the order of their arrival. If an order fits only when an earlier order is refused, it waits until the earlier
 * orders are decided.
 */
export class Acceptor {
  readonly #options: AcceptorOptions
  readonly #planner: OrderPlanner
  readonly #queue: OrderQueue
  readonly #held: DelayedOrders
  readonly #decider: OrderDecider
  /** The number of running batches, by lane. */
  readonly #running: number[]
  /** Whether the next orders wait until all running batches have ended. */
  #isDraining = false
  #isPreparing = false
  #largestSeen = 0
  #idle: (() => void)[] = []

  constructor(options: AcceptorOptions) {
    this.#options = options
    this.#planner = new OrderPlanner(options)
    this.#queue = new OrderQueue(options.lanes)
    this.#running = Array.from({ length: options.lanes }, () => 0)
    this.#decider = new OrderDecider({ ...options, putBack: (order) => this.#queue.putBack([order]) })
    this.#held = new DelayedOrders(options.ctx.clock, (order) => this.#letGo(order))
  }

  place(request: OrderRequest): Promise<OrderAnswer> {
    return new Promise((answer, fail) => {
      const order: WaitingOrder = { request, answer, fail }
      const holdMs = this.#planner.holdMs(request)
      const own = this.#held.countOf(request.userId)
      const isFull = this.#isFull(request) || own >= this.#options.maxOpenOrders
      const expiry = this.#expiryOf(request)
      const now = this.#options.ctx.now()
      if (own === 0 && (holdMs === 0 || expiry < now)) this.#enqueue(order)
      // The order would expire during the wait, so its sender learns at once that prices are late.
      else if (own === 0 && expiry < now + holdMs) this.#enqueue(outwaited(order))
      // The refusal must be `busy`, which is not final, because this may be a repeat of an accepted order.
      else if (isFull) answer(refuse('busy'))
      else this.#held.hold(order, holdMs)
    })
  }

  /** The number of orders that wait because the prices of their symbol are delayed. */
  get held(): number {
    return this.#held.length
  }

  /** The number of orders that wait for their lane. */
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
    const isOver = this.#expiryOf(order.request) < this.#options.ctx.now()
    if (closed === null) this.#enqueue(isOver ? outwaited(order) : order)
    else order.answer(refuse(closed))
  }

  #expiryOf({ validUntil }: OrderRequest): number {
    return validUntil ?? Number.POSITIVE_INFINITY
  }

  #plan({ request, refusal }: WaitingOrder): ReturnType<OrderPlanner['plan']> {
    return refusal ?? this.#planner.plan(request)
  }

  #enqueue(order: WaitingOrder): void {
    if (this.#isFull(order.request)) {
      order.answer(refuse('busy'))
      return
    }
    this.#queue.add(order)
    this.#pump()
  }

  /**
   * Whether the queue is full: for practice orders from its half on. Delayed orders count as well, because they will
   * need a lane too.
   */
  #isFull({ userId }: OrderRequest): boolean {
    const { maxQueueLength } = this.#options
    const length = this.#held.length + this.#queue.length
    return length >= (isPracticeId(userId) ? maxQueueLength * PRACTICE_ROOM : maxQueueLength)
  }

  #pump(): void {
    if (this.#options.caps.isOn()) {
      this.#pumpInOrder()
      return
    }
    for (let lane = 0; lane < this.#options.lanes; lane += 1) {
      while (this.#mayStart(lane)) this.#start(lane)
    }
  }

  /**
   * Whether a lane may send its next batch. A large batch may start while the previous batch runs, so that the database
   * can begin it without a pause.
   */
  #mayStart(lane: number): boolean {
    const waiting = this.#queue.waitingFor(lane)
    const running = this.#running[lane] ?? 0
    if (running === 0) return waiting > 0
    return running < MAX_CONCURRENT_BATCHES && waiting >= Math.min(MIN_PIPELINED_ORDERS, this.#options.maxBatchSize)
  }

  #start(lane: number): void {
    const batch = this.#queue.take(this.#options.maxBatchSize, lane)
    this.#run(lane, batch, () => this.#take(batch, lane))
  }

  #run(lane: number, batch: readonly WaitingOrder[], work: () => Promise<void>): void {
    this.#count(lane, 1)
    const failed = (error: unknown): void => {
      this.#options.caps.distrustStrays()
      for (const waiting of batch) waiting.fail(error)
    }
    void work()
      .catch(failed)
      .finally(() => {
        this.#count(lane, -1)
        for (const resolve of this.#idle.splice(0)) resolve()
        this.#pump()
      })
  }

  /** Starts the oldest orders of all lanes, while a cap is in force. */
  #pumpInOrder(): void {
    const { caps, maxBatchSize } = this.#options
    while (this.#queue.length > 0 && !this.#isPreparing) {
      // This server was suspended while these orders waited, and another server has taken the lease.
      if (caps.isTakenOver()) {
        for (const waiting of this.#queue.takeOldest(this.#queue.length)) waiting.answer(refuse('restarting'))
        return
      }
      const busiest = Math.max(...this.#running)
      const isFull = busiest > 0 && this.#queue.length < Math.min(MIN_PIPELINED_ORDERS, maxBatchSize)
      const mustWait = this.#isDraining || !caps.isReady() || isFull || busiest >= MAX_CONCURRENT_BATCHES
      if (busiest > 0 && mustWait) return
      this.#isDraining = false
      if (caps.isReady()) this.#startRound()
      else void this.#prepareCaps()
    }
  }

  async #prepareCaps(): Promise<void> {
    this.#isPreparing = true
    try {
      await this.#options.caps.prepare()
    } catch (error) {
      for (const waiting of this.#queue.takeOldest(this.#queue.length)) waiting.fail(error)
    } finally {
      this.#isPreparing = false
      for (const resolve of this.#idle.splice(0)) resolve()
      this.#pump()
    }
  }

  #startRound(): void {
    const { caps, lanes, maxBatchSize } = this.#options
    const batch = this.#queue.takeOldest(maxBatchSize)
    const round = Array.from({ length: lanes }, (): Planned[] => [])
    const others: (() => Promise<void>)[] = []
    for (const [at, waiting] of batch.entries()) {
      const plan = this.#plan(waiting)
      if (!plan.ok) {
        others.push(() => this.#decider.answerRepeat(waiting, plan))
        continue
      }
      const room = caps.claim(plan.value)
      if (room === 'unsure') {
        this.#queue.putBack(batch.slice(at))
        this.#isDraining = true
        // No order is being decided, so no order owns the room that still seems claimed. The gate must read the open
        // orders again.
        const isIdle = this.#running.every((batches) => batches === 0) && round.every((lane) => lane.length === 0)
        if (isIdle) caps.distrust()
        break
      }
      const order = { ...plan.value, isAboveCap: room === 'full' }
      round[shardOf(order.userId, lanes)]?.push({ waiting, order })
    }
    if (others.length > 0) this.#run(0, [], async () => void (await Promise.all(others.map((answer) => answer()))))
    for (const [lane, own] of round.entries()) {
      if (own.length === 0) continue
      const waiting = own.map((one) => one.waiting)
      this.#run(lane, waiting, () => this.#decide(own, lane))
    }
  }

  #count(lane: number, batches: 1 | -1): void {
    this.#running[lane] = (this.#running[lane] ?? 0) + batches
  }

  async #take(batch: WaitingOrder[], lane: number): Promise<void> {
    const planned: Planned[] = []
    const others: Promise<void>[] = []
    for (const waiting of batch) {
      const plan = this.#plan(waiting)
      if (plan.ok) planned.push({ waiting, order: plan.value })
      else others.push(this.#decider.answerRepeat(waiting, plan))
    }
    await this.#decide(planned, lane)
    await Promise.all(others)
  }

  async #decide(planned: readonly Planned[], lane: number): Promise<void> {
    if (planned.length === 0) return
    this.#noteBatch(planned.length)
    await this.#decider.decide(planned, lane)
  }

  #noteBatch(size: number): void {
    if (size <= this.#largestSeen) return
    this.#largestSeen = size
    this.#options.ctx.log.info({ orders: size }, 'largest order batch so far')
  }
}

/**
 * Refuses an order that late prices hold for longer than it is valid. The refusal keeps the order's place in its lane,
 * because this may be a repeat of an order that is being accepted.
 */
function outwaited(order: WaitingOrder): WaitingOrder {
  return { ...order, refusal: refuse('price_stale', { params: { symbol: order.request.symbol } }) }
}
