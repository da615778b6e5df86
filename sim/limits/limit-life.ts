import { formatDecimal } from '#core/money/decimal.ts'
import { money } from '#core/money/money.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import { addMarks, dropOldMarks } from '#server/ledger/limit-marks.queries.ts'
import { creditOn } from '../simulation/staff.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { listForReview } from '#server/payments/deposits/review.queries.ts'
import { clearEndedBreaks } from '#server/users/limits/breaks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { BTC, createFundedUser } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { OwnRulesAudit } from '../auditor/person-audit.ts'
import { LIMITS, SYMBOLS } from '../auditor/site-terms.ts'
import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import type { SharedStore } from '../simulation/faulty-dialect.ts'
import type { Parts } from '../simulation/injection-points.ts'
import { type Faults, NO_FAULTS } from '../simulation/plan.ts'
import { seedWorld } from '../simulation/seed-world.ts'
import { SimNode } from '../simulation/sim-node.ts'
import { SOURCES } from '../simulation/source-words.ts'
import { AlertProcess } from './alert-process.ts'
import type { ClockedDatabase } from './clocked-database.ts'
import type { LimitPlan } from './limit-plan.ts'
import { LimitedUser } from './limited-user.ts'

const FUNDS = money(100_000_000n)
const FUNDED_BEFORE_MS = 40 * DAY_MS
const STEP_MS = 500
const TICK_EVERY = 2
const STEP_SIZE = 250
const START_UNITS = 6_000_000
const WARM_UP_MS = 3_000
/** All orders and all other work end within 12 s of the last order of a session. */
const CALM_MS = 12_000
const STAFF_EVERY_MS = 2_000
const FAILOVER_EVERY_MS = 3_000

export interface LimitOutcome {
  readonly violations: readonly string[]
  readonly accepted: number
  readonly refused: number
}

/**
 * A server with users who limit themselves, on a simulated clock: short sessions of trading, and rests of minutes to
 * days between them. Two more servers compete for the price alerts, and are killed and suspended.
 */
export class LimitLife {
  readonly kernel = new Kernel()
  readonly audit = new OwnRulesAudit()
  readonly #plan: LimitPlan
  readonly #parts: Parts
  readonly #database: ClockedDatabase
  readonly #random: Random
  #db: Db | null = null
  #shared: SharedStore | null = null
  #node: SimNode | null = null
  #isUp = false
  #isCalm = true
  #users: readonly LimitedUser[] = []
  #staffId = ''
  #watchers: AlertProcess[] = []
  #units = START_UNITS
  #steps = 0
  #names = 0
  #ids = 0
  #waiting: (() => void)[] = []

  constructor(plan: LimitPlan, parts: Parts, database: ClockedDatabase) {
    this.#plan = plan
    this.#parts = parts
    this.#database = database
    this.#random = new Random(plan.seed, 'life of limits')
  }

  readonly #faults = (): Faults => (this.#isCalm ? NO_FAULTS : this.#plan.node.faults)

  get now(): number {
    return TEST_START + this.kernel.now
  }

  /** The newest price that the sources have reported. */
  get units(): number {
    return this.#units
  }

  async play(): Promise<LimitOutcome> {
    const { db, shared } = await this.#database.begin(this.kernel, () => this.now, this.#parts.schema)
    this.#db = db
    this.#shared = shared
    const { audit, kernel } = this
    await this.#seed(db)
    let seen = 0
    for (const rest of [0, ...this.#plan.rests]) {
      await kernel.runUntil(kernel.now + rest)
      await this.#session()
      const rows = await this.#database.seenAfter(seen)
      seen = rows.at(-1)?.n ?? seen
      audit.check(rows, this.now - CALM_MS / 2)
      if (audit.violations.length > 0) break
    }
    return { violations: audit.violations, accepted: audit.acceptedCount, refused: audit.refusedCount }
  }

  /** Sends a request to the server. Undefined when the server is down or fails. */
  ask<T>(work: (node: SimNode) => Promise<T>): Promise<T | undefined> {
    const node = this.#node
    if (node === null || !this.#isUp) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const forget = node.state.onExit(() => resolve(undefined))
      const settle = (value: T | undefined) => {
        forget()
        resolve(value)
      }
      work(node).then(settle, () => settle(undefined))
    })
  }

  /** Resolves while the server is up. */
  whileUp(): Promise<void> {
    return this.#isUp ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** One session of trading: the server starts, users act, everything ends, and the server is killed. */
  async #session(): Promise<void> {
    const { kernel } = this
    const begunAt = kernel.now
    this.#moveMarket(begunAt + WARM_UP_MS + this.#plan.tradeMs + CALM_MS / 2)
    void this.#keepMarks()
    void this.#start()
    this.#watchers = [this.#watcher(), this.#watcher()]
    await kernel.runUntil(begunAt + WARM_UP_MS)
    this.#isCalm = false
    const until = kernel.now + this.#plan.tradeMs
    void this.#decideDeposits(until)
    void this.#failOver(until)
    while (kernel.now < until) {
      if (this.#isUp) for (const user of this.#users) user.act()
      await kernel.runUntil(kernel.now + STEP_MS)
    }
    this.#isCalm = true
    await kernel.runUntil(kernel.now + CALM_MS)
    if (this.#users.some(({ isBusy }) => isBusy)) this.audit.violations.push('a request got no reply without faults')
    void this.#keepMarks()
    await kernel.runUntil(kernel.now + STEP_MS)
    this.#node?.state.end()
    this.#isUp = false
    for (const watcher of this.#watchers) watcher.state.end()
    await kernel.runUntil(kernel.now + STEP_MS)
  }

  async #seed(db: Db): Promise<void> {
    const parts = { db, newId: () => this.#newId(), now: () => instant(this.now) }
    for (const { id, code, name, marketType, decimals } of SYMBOLS) {
      const row = { id, code, name, market_type: marketType, decimals, closed_reason: null, sort: id }
      await db.insertInto('market_symbol').values(row).execute()
    }
    const { staffIds } = await seedWorld(parts, 0)
    this.#staffId = staffIds[0] ?? ''
    // These deposits lie before the start of every limit window, so that they use up no limit.
    const before = { ...parts, now: () => instant(this.now - FUNDED_BEFORE_MS) } as Ctx
    const userIds: string[] = []
    for (let at = 0; at < this.#plan.users; at += 1) userIds.push(await createFundedUser(before, FUNDS))
    this.#users = userIds.map((userId, at) => {
      const random = new Random(this.#plan.seed, `limited user ${at}`)
      return new LimitedUser(this, userId, { random, audit: this.audit.of(userId) })
    })
  }

  #newId(): string {
    this.#ids += 1
    return `0195a000-0000-7000-8000-${this.#ids.toString(16).padStart(12, '0')}`
  }

  #moveMarket(until: number): void {
    const move = () => {
      this.#steps += 1
      this.#units += this.#random.integer(-STEP_SIZE, STEP_SIZE)
      const time = instant(this.now)
      const quote = { symbol: BTC.code, price: formatDecimal(BigInt(this.#units), BTC.decimals), volume: '1', time }
      if (this.#steps % TICK_EVERY === 0)
        for (const source of SOURCES) this.#node?.hear(source, { kind: 'quote', quote, units: this.#units })
      if (this.kernel.now < until) this.kernel.after(STEP_MS, move)
    }
    this.kernel.after(STEP_MS, move)
  }

  async #keepMarks(): Promise<void> {
    if (this.#db === null) return
    const at = this.now
    await addMarks(this.#db)
    await dropOldMarks(this.#db)
    await clearEndedBreaks(this.#db)
    this.audit.marksKept(at)
  }

  async #start(): Promise<void> {
    if (this.#shared === null) return
    const node = new SimNode(
      {
        kernel: this.kernel,
        plan: this.#plan.node,
        parts: this.#parts,
        startAt: TEST_START,
        faults: this.#faults,
        isOut: () => false,
        shared: this.#shared,
        engineStore: null,
        newId: () => this.#newId(),
        clockOffset: () => 0,
        isRecordAway: () => true,
        tradesOf: () => new Map(),
        onAnswer: () => undefined,
        onEvent: () => undefined,
        logged: () => undefined,
      },
      `server ${this.#newName()}`,
    )
    this.#node = node
    await node.start()
    this.#isUp = node.state.isAlive
    for (const go of this.#waiting.splice(0)) go()
  }

  #newName(): number {
    this.#names += 1
    return this.#names
  }

  #watcher(): AlertProcess {
    if (this.#shared === null) throw new Error('the database is not open')
    const name = `watcher ${this.#newName()}`
    const watcher = new AlertProcess({
      kernel: this.kernel,
      random: new Random(this.#plan.seed, name),
      name,
      now: () => this.now,
      faults: this.#faults,
      shared: this.#shared,
      onEvent: (event) => {
        if (event.kind === 'alert-fired') this.audit.alerts.published(event.alert.id, event.alert.seq)
      },
    })
    void watcher.run()
    return watcher
  }

  /** Suspends one of the servers that watch alerts, or kills it and starts another one. */
  async #failOver(until: number): Promise<void> {
    while (this.kernel.now < until) {
      await this.kernel.sleep(this.#random.wait(FAILOVER_EVERY_MS))
      if (this.#isCalm) return
      const at = this.#random.integer(0, this.#watchers.length - 1)
      if (this.#random.chance(0.4)) this.#watchers[at]?.state.pause(this.#random.integer(500, 4_000))
      else {
        this.#watchers[at]?.state.end()
        this.#watchers[at] = this.#watcher()
      }
    }
  }

  /** One staff member approves or rejects the oldest deposits. */
  async #decideDeposits(until: number): Promise<void> {
    const actor = {
      who: this.#staffId,
      what: 'deposit',
      staffId: this.#staffId,
      requestId: 'sim',
      address: '127.0.0.1',
    }
    while (this.kernel.now < until) {
      await this.kernel.sleep(STAFF_EVERY_MS)
      const found = await this.ask(({ ctx }) => listForReview(ctx.db, { pending: true, limit: 3 }))
      for (const { trx } of found ?? []) {
        const common = {
          trx,
          words: 'no',
          actor,
          limits: LIMITS,
          mode: LIMITS.mode,
          reasonCode: 'provider_refused',
        } as const
        const decide = this.#random.chance(0.6) ? creditOn : rejectDeposit
        await this.ask(({ ctx }) => decide(ctx, common) as Promise<unknown>)
      }
    }
  }
}
