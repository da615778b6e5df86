import { formatDecimal } from '#core/money/decimal.ts'
import { type Money, money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { endRunningAlert } from '#server/price-alerts/alerts.queries.ts'
import { setAlert } from '#server/price-alerts/set-alert.ts'
import { saveDeposit } from '#server/payments/deposits/save-deposit.ts'
import { changeLimits, endLimitChange } from '#server/users/limits/change-limits.ts'
import { listWaitingChanges } from '#server/users/limits/limits.queries.ts'
import { askToReturn, returnFromBreak, takeBreak } from '#server/users/limits/take-break.ts'
import { BTC } from '#test/support/market-fixtures.ts'
import type { AlertKind, PersonAudit } from '../auditor/person-audit.ts'
import { LIMIT_KEYS, type LimitKey } from '../auditor/own-limits.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Random } from '../kernel/random.ts'
import { AUTOMATIC_GATEWAY, CATALOGUE, DEPOSIT_GATEWAY } from '../simulation/seed-world.ts'
import type { SimNode } from '../simulation/sim-node.ts'
import { RATE_OF, UPLOADS } from '../simulation/wallet-parts.ts'

/** The trade setting of five seconds. With it, all orders end soon after a session. */
const FIVE_SECONDS = { id: 1 } as const
const RETRY_MS = 1_000
const SITE = {
  depositsOpen: true,
  depositReason: '',
  withdrawalsClosedUntil: null,
  withdrawReason: '',
  asksForLimit: false,
}
/**
 * The limits that users set, in cents. Users reach them with their orders and deposits, except the stake limit of
 * 2,500: no order has a higher stake than 2,000.
 */
const AMOUNTS: Readonly<Record<string, readonly number[]>> = {
  loss: [2_000, 5_000, 9_000],
  staked: [6_000, 12_000, 30_000],
  deposit: [20_000, 60_000],
  stake: [500, 1_500, 2_500],
}

/** The surroundings of a user: the clock, the market, and the server. */
interface Surroundings {
  readonly now: number
  readonly kernel: Kernel
  /** The newest price that the sources have reported. */
  readonly units: number
  ask<T>(work: (node: SimNode) => Promise<T>): Promise<T | undefined>
  whileUp(): Promise<void>
}

/**
 * A user who trades in bursts of parallel orders, sets and loosens limits, takes breaks, deposits, and sets price
 * alerts.
 */
export class LimitedUser {
  readonly userId: string
  readonly #life: Surroundings
  readonly #random: Random
  readonly #audit: PersonAudit
  #isBusy = false
  #count = 0
  #alerts: { readonly id: string; readonly version: number }[] = []

  constructor(life: Surroundings, userId: string, { random, audit }: { random: Random; audit: PersonAudit }) {
    this.#life = life
    this.userId = userId
    this.#random = random
    this.#audit = audit
  }

  /** Whether a request waits for its reply. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Places orders, deposits or changes a rule, each at random. The simulation calls this twice a second. */
  act(): void {
    if (this.#random.chance(0.25)) this.#trade()
    if (this.#random.chance(0.08)) void this.#deposit()
    if (!this.#isBusy && this.#random.chance(0.5)) void this.#change()
  }

  /** Sends up to four orders at once, over all engines. */
  #trade(): void {
    const orders = this.#random.integer(1, 4)
    const stake = money(this.#random.pick([500, 1_000, 1_500, 2_000]))
    for (let at = 0; at < orders; at += 1) void this.#place(stake, at)
  }

  async #place(stake: Money, at: number): Promise<void> {
    this.#count += 1
    const request = {
      userId: this.userId,
      clientOrderId: `${this.#count}`,
      direction: this.#random.chance(0.5) ? BUY : SELL,
      tradeSettingId: FIVE_SECONDS.id,
      stake,
      symbol: BTC.code,
      marketType: null,
      slippageGuard: null,
    } as const
    const from = this.#life.now
    const reply = await this.#life.ask(({ engines }) => {
      const engine = engines[at % engines.length]
      return engine === undefined ? Promise.reject(new Error('no engine')) : engine.place(request)
    })
    if (reply?.ok === false) {
      this.#audit.limits.refused({ code: reply.refusal, stake: Number(stake), from, until: this.#life.now })
    }
  }

  async #deposit(): Promise<void> {
    this.#count += 1
    const request = {
      userId: this.userId,
      gatewayId: this.#random.pick([AUTOMATIC_GATEWAY, DEPOSIT_GATEWAY]),
      amount: money(this.#random.integer(5, 150) * 100),
      fields: {},
      clientRequestId: `deposit ${this.#count}`,
    }
    await this.#life.ask(({ ctx }) => saveDeposit({ ctx, uploads: UPLOADS, rateOf: RATE_OF }, request, SITE))
  }

  /** Changes one of the user's own rules. One such request at a time, repeated until its reply. */
  async #change(): Promise<void> {
    this.#isBusy = true
    const what = this.#random.next()
    if (what < 0.4) await this.#changeLimit()
    else if (what < 0.6) await this.#endChange()
    else if (what < 0.8) await this.#setAlert()
    else if (what < 0.85) await this.#endAlert()
    else if (what < 0.88) await this.#break('time_out', this.#random.integer(1, 2))
    else if (what < 0.89) await this.#break('exclusion', 6)
    else await this.#return()
    this.#isBusy = false
  }

  async #changeLimit(): Promise<void> {
    const key = this.#random.pick(LIMIT_KEYS)
    const amounts = AMOUNTS[key.split('_')[0] ?? ''] ?? []
    const value = this.#random.chance(0.2) ? null : this.#random.pick(amounts)
    const wanted = [{ key, value: value === null ? null : BigInt(value) }]
    const { reply, ...times } = await this.#insist(({ ctx }) => changeLimits(ctx, this.userId, wanted))
    if (reply.ok) this.#audit.limits.changed({ key, value, ...times })
  }

  async #endChange(): Promise<void> {
    const { reply: waiting } = await this.#insist(({ ctx }) => listWaitingChanges(ctx.db, this.userId))
    if (waiting.length === 0) return
    const { id, key, to } = this.#random.pick(waiting)
    const outcome = this.#random.chance(0.9) ? 'confirmed' : 'dropped'
    const { reply, ...times } = await this.#insist(({ ctx }) =>
      endLimitChange(ctx, { userId: this.userId, id, outcome }),
    )
    const code = reply.ok ? outcome : reply.refusal
    this.#audit.limits.ended({ key: key as LimitKey, value: to === null ? null : Number(to), code, ...times })
  }

  async #break(kind: 'time_out' | 'exclusion', length: number): Promise<void> {
    const { reply, ...times } = await this.#insist(({ ctx }) => takeBreak(ctx, this.userId, { kind, length }))
    if (reply.ok) this.#audit.breaks.begun({ kind, length, ...times })
  }

  async #return(): Promise<void> {
    const request = await this.#insist(({ ctx }) => askToReturn(ctx, this.userId))
    if (request.reply.ok) this.#audit.breaks.returnRequested(request)
    const confirmation = await this.#insist(({ ctx }) => returnFromBreak(ctx, this.userId))
    if (confirmation.reply.ok) this.#audit.breaks.returned(confirmation)
  }

  async #setAlert(): Promise<void> {
    const kind = this.#random.pick(['above', 'below', 'move'] as const satisfies readonly AlertKind[])
    const distance = this.#random.integer(1, 900)
    const level = this.#life.units + (kind === 'above' ? distance : -distance)
    const body = {
      symbol: BTC.code,
      kind,
      level: kind === 'move' ? null : formatDecimal(BigInt(level), BTC.decimals),
      percent: kind === 'move' ? 0.1 : null,
      repeats: this.#random.chance(0.5),
      cool_minutes: 5,
      expires_at: null,
      note: '',
    }
    const from = this.#life.now
    const reply = await this.#life.ask(({ ctx, ticks }) =>
      setAlert({ ctx, ticks, catalogue: CATALOGUE }, this.userId, body as unknown as Parameters<typeof setAlert>[2]),
    )
    // Without a reply the user does not know whether the alert exists, so the auditor expects nothing of it.
    if (reply?.ok !== true) return
    const { id, version, fromSeq, basis, expiresAt, coolMs, repeats } = reply.value
    this.#alerts.push({ id, version })
    const rule = kind === 'move' ? { kind, move: 10 } : { kind, level }
    const until = this.#life.now
    this.#audit.alerts.set({ id, userId: this.userId, rule, repeats, coolMs, expiresAt, fromSeq, basis, from, until })
  }

  async #endAlert(): Promise<void> {
    const one = this.#alerts.shift()
    if (one === undefined) return
    const { from } = await this.#insist(({ ctx }) => endRunningAlert(ctx.db, { userId: this.userId, ...one }))
    this.#audit.alerts.endRequested(one.id, from)
  }

  /** Repeats a request until its reply, also over a restart of the server. */
  async #insist<T>(
    work: (node: SimNode) => Promise<T>,
  ): Promise<{ readonly reply: T; readonly from: number; readonly until: number }> {
    const from = this.#life.now
    for (;;) {
      await this.#life.whileUp()
      const reply = await this.#life.ask(work)
      if (reply !== undefined) return { reply, from, until: this.#life.now }
      await this.#life.kernel.sleep(RETRY_MS)
    }
  }
}
