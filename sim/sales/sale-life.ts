import { formatDecimal } from '#core/money/decimal.ts'
import { transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { SOLD } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { SaleOrderRequest } from '#server/trading/sales/sale-desk.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { Auditor } from '../auditor/auditor.ts'
import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { SALE_SPECS } from '../memory-store/memory-sales.ts'
import { SPECS } from '../memory-store/specs.ts'
import type { Parts } from '../simulation/injection-points.ts'
import { memoryStore } from '../simulation/memory-store.ts'
import { NO_FAULTS } from '../simulation/plan.ts'
import { seedWorld } from '../simulation/seed-world.ts'
import { SimNode } from '../simulation/sim-node.ts'
import { SOURCES } from '../simulation/source-words.ts'
import type { SimStore } from '../simulation/store.ts'
import { SaleMarket, STEP_MS } from './sale-market.ts'
import { announcedTerms, CALM_MS, FIVE_MINUTES, saleCatalogue, type SalePlan, WARM_UP_MS } from './sale-plan.ts'
import { Seller, STAKE } from './seller.ts'

const INFORMED = 4
const UNINFORMED = 2
const FUNDS = money(10_000_000n)
const START_MS = 1_000
/**
 * Before trading begins, the sources report only every 6th price, because that is enough to compute the first sale
 * prices.
 */
const REPORT_EVERY = 6
const DECIDE_EVERY_MS = 500
const SLICE_MS = 1_000
/** 90 s: the simulation causes no faults in this time before its end. */
const HEALED_MS = 90_000

export interface SaleOutcome {
  readonly violations: readonly string[]
  readonly sold: number
  readonly settled: number
  /**
   * The gains of informed sellers: the amount paid before the fee, minus the worth of the order if kept, as a share of
   * the stake.
   */
  readonly gains: readonly number[]
}

/**
 * One server with sellers, on a simulated clock. The simulation kills and restarts the server, and an auditor observes
 * every commit.
 */
export class SaleLife {
  readonly kernel = new Kernel()
  readonly market: SaleMarket
  readonly auditor: Auditor
  readonly #plan: SalePlan
  readonly #parts: Parts
  readonly #random: Random
  readonly #isAudited: boolean
  /** The worth of each order to its seller at the time of the sale request. */
  readonly #worth = new Map<string, number>()
  readonly #gains: number[] = []
  #sellers: readonly Seller[] = []
  #store: SimStore | null = null
  #node: SimNode | null = null
  #isUp = false
  #reportedUnits = 0
  #startCount = 0
  #ids = 0

  constructor(plan: SalePlan, parts: Parts, isAudited: boolean) {
    this.#isAudited = isAudited
    this.#plan = plan
    this.#parts = { ...parts, catalogue: saleCatalogue(plan), specs: parts.specs === SPECS ? SALE_SPECS : parts.specs }
    this.#random = new Random(plan.seed, 'life of sellers')
    this.market = new SaleMarket(new Random(plan.seed, 'market of sellers'))
    this.auditor = new Auditor({
      now: () => this.now,
      isPolled: false,
      rule: 2,
      classOf: () => 'none',
      settings: [FIVE_MINUTES],
      saleTerms: plan.terms,
    })
  }

  get now(): number {
    return TEST_START + this.kernel.now
  }

  /** The newest price that our sources have reported. */
  get reportedUnits(): number {
    return this.#reportedUnits
  }

  async play(): Promise<SaleOutcome> {
    const { kernel, auditor } = this
    const store = await memoryStore(kernel, this.#parts)
    this.#store = store
    store.watch((changes) => auditor.observe(changes))
    await this.#seed(store)
    void this.#start()
    const tradingUntil = WARM_UP_MS + this.#plan.minutes * 60_000
    void this.#crashes(tradingUntil)
    this.#moveMarket(tradingUntil)
    const end = tradingUntil + CALM_MS
    const isSound = () => !this.#isAudited || auditor.violations.length === 0
    while (isSound() && kernel.now < end) await kernel.runUntil(kernel.now + SLICE_MS)
    if (isSound()) auditor.finishOrders()
    this.#node?.state.end()
    const { settledCount, sales } = auditor
    const violations = this.#isAudited ? auditor.violations : []
    return { violations, sold: sales.soldCount, settled: settledCount - sales.soldCount, gains: this.#gains }
  }

  /** Sends a request to the server. Undefined when the server is down, fails, or dies. */
  ask<T>(work: (node: SimNode) => Promise<T> | undefined): Promise<T | undefined> {
    const node = this.#node
    if (node === null || !this.#isUp || !node.state.isAlive) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const forget = node.state.onExit(() => resolve(undefined))
      const settle = (value: T | undefined) => {
        forget()
        resolve(value)
      }
      work(node)?.then(settle, () => settle(undefined))
    })
  }

  /** Requests a sale. `worth`: what the order is worth to its user when kept. */
  sell(request: SaleOrderRequest, worth: number): void {
    const { requestSale } = this.#parts
    const { catalogue } = this.#parts
    this.#worth.set(request.orderId, worth)
    void this.ask((node) => requestSale({ ctx: node.ctx, catalogue, ticks: node.ticks }, request)).then((reply) => {
      if (reply?.ok === true) this.auditor.sales.confirmed(request.orderId, request.clientSaleId)
      return reply
    })
  }

  async #seed(store: SimStore): Promise<void> {
    const { db } = store
    const parts = { db, newId: () => this.#newId(), now: () => instant(TEST_START) }
    const { userIds } = await seedWorld(parts, INFORMED + (this.#plan.isCalm ? 0 : UNINFORMED))
    for (const { what, of, announcedAt, appliesAt, ...entry } of announcedTerms(this.#plan)) {
      const columns = { kind: what, subject: of, announced_ms: announcedAt, applies_ms: appliesAt }
      await db
        .insertInto('terms_entry')
        .values({ ...entry, ...columns, text: '', hash: new Uint8Array(32) })
        .execute()
    }
    for (const userId of userIds) {
      this.auditor.funded(userId, FUNDS)
      const moved = transfer('demo_funds', { userId, ref: this.#newId(), amount: FUNDS })
      await db.transaction().execute((tx) => postTransfers(tx, [moved], instant(TEST_START)))
    }
    this.#sellers = userIds.map((userId, at) => {
      const isInformed = at < INFORMED
      return new Seller(this, userId, { random: new Random(this.#plan.seed, `seller ${at}`), isInformed })
    })
  }

  #newId(): string {
    this.#ids += 1
    return `0195a000-0000-7000-8000-${this.#ids.toString(16).padStart(12, '0')}`
  }

  #moveMarket(tradingUntil: number): void {
    let step = 0
    const move = () => {
      step += 1
      const units = this.market.step()
      const isTrading = this.kernel.now > WARM_UP_MS
      if (isTrading || step % REPORT_EVERY === 0) this.#tell(units)
      if (isTrading) for (const seller of this.#sellers) seller.onPrice(this.kernel.now < tradingUntil)
      this.kernel.after(STEP_MS, move)
    }
    this.kernel.after(START_MS, move)
  }

  #tell(units: number): void {
    const time = instant(this.now)
    const quote = { symbol: BTC.code, price: formatDecimal(BigInt(units), BTC.decimals), volume: '1', time }
    this.kernel.after(this.#plan.lateMs, () => {
      this.#reportedUnits = units
      for (const source of SOURCES) {
        this.auditor.log.said(source, BTC.id, units, time)
        this.#node?.hear(source, { kind: 'quote', quote, units })
      }
    })
  }

  async #start(): Promise<void> {
    const store = this.#store
    if (store === null) return
    const { kernel } = this
    this.#startCount += 1
    const areFaultsOver = () => kernel.now > WARM_UP_MS + this.#plan.minutes * 60_000 + CALM_MS - HEALED_MS
    const node = new SimNode(
      {
        kernel,
        plan: this.#plan.node,
        parts: this.#parts,
        startAt: TEST_START,
        faults: () => (areFaultsOver() || kernel.now < WARM_UP_MS ? NO_FAULTS : this.#plan.node.faults),
        isOut: () => false,
        shared: store.shared,
        engineStore: store.engineStore,
        newId: () => this.#newId(),
        clockOffset: () => 0,
        isRecordAway: () => true,
        tradesOf: () => new Map(),
        onAnswer: () => undefined,
        onEvent: (event) => this.#onEvent(event),
        logged: () => undefined,
      },
      `server ${this.#startCount}`,
    )
    this.#node = node
    try {
      await node.start()
    } catch {
      return this.#restart(node)
    }
    if (!node.state.isAlive) return
    this.#isUp = true
    for (let at = 0; at < this.#plan.deciders; at += 1) void this.#decide(node)
  }

  /** One server's job: decides the requests again and again. After a round that fails, the next round starts. */
  async #decide(node: SimNode): Promise<void> {
    const { catalogue, decideSales } = this.#parts
    while (node.state.isAlive) {
      await decideSales({ ctx: node.ctx, catalogue, owns: () => true }).catch(() => undefined)
      await this.kernel.sleep(DECIDE_EVERY_MS)
    }
  }

  async #crashes(until: number): Promise<void> {
    const { crashEveryMs } = this.#plan
    if (crashEveryMs === 0) return
    await this.kernel.sleep(WARM_UP_MS)
    while (this.kernel.now < until) {
      await this.kernel.sleep(this.#random.wait(crashEveryMs))
      if (this.#node !== null && this.#isUp) this.#restart(this.#node)
    }
  }

  /** Kills the server, and starts another one. */
  #restart(node: SimNode): void {
    node.state.end()
    this.#isUp = false
    this.kernel.after(this.#random.integer(200, 4_000), () => void this.#start())
  }

  #onEvent(event: DomainEvent): void {
    if (event.kind !== 'order-settled') return
    const { order } = event
    for (const seller of this.#sellers) if (seller.userId === order.userId) seller.ended(order.orderId)
    const worth = this.#worth.get(order.orderId)
    const isInformed = this.#sellers.findIndex(({ userId }) => userId === order.userId) < INFORMED
    if (order.result !== SOLD || worth === undefined || !isInformed) return
    const fee = this.#plan.terms.at(-1)?.fee ?? 0
    this.#gains.push(1 + Number(order.resultAmount) / Number(STAKE) + fee / 10_000 - worth)
  }
}
