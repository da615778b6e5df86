import type { Result } from '#core/result.ts'
import { money } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { priceText, price } from '#core/money/price.ts'
import { DAY_MS, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { AcceptedOrder, OrderRequest } from '#server/trading/engine/engine.ts'
import { noteSeen, unseenResults } from '#server/sockets/live.queries.ts'
import { partOf } from '../auditor/expected-results.ts'
import { Random } from '../kernel/random.ts'
import { CATALOGUE } from './seed-world.ts'
import { SETTINGS, SYMBOLS } from '../auditor/site-terms.ts'
import type { World } from './world.ts'

const MAX_REPEATS = 3
const FINAL_TRIES = 30
const ALL_RESULTS = 1_000
/**
 * The number of unanswered requests that a user repeats at the same time at the end. Orders may have to wait for
 * delayed prices, so one after another would take too long.
 */
const AT_ONCE = 6

/** A user who trades quickly, over bad connections, and sometimes sends twice. */
export class SimulatedTrader {
  readonly userId: string
  readonly #name: string
  readonly #world: World
  readonly #random: Random
  readonly #unsure = new Map<string, OrderRequest>()
  #orderCount = 0

  constructor(world: World, userId: string, name: string) {
    this.#world = world
    this.userId = userId
    this.#name = name
    this.#random = new Random(world.plan.seed, name)
  }

  begin(): void {
    void this.#trade()
    void this.#comeAndGo()
  }

  /**
   * Ends the work of this user, when the connection has no faults any more: repeats every unanswered request, and
   * receives every result.
   */
  async finish(): Promise<void> {
    // A user whose connection never broke does not reconnect.
    if (this.#world.wholeSince(this.userId) === null) await this.#connect()
    const left = [...this.#unsure.values()]
    const askAfterAll = async (): Promise<void> => {
      for (let request = left.shift(); request !== undefined; request = left.shift()) await this.#askAfter(request)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askAfterAll))
  }

  async #askAfter(request: OrderRequest): Promise<void> {
    for (let tries = 0; tries < FINAL_TRIES; tries += 1) {
      const answer = await this.#send(request, true)
      if (answer !== null && !isBusy(answer)) return
      await this.#world.kernel.sleep(500)
    }
  }

  /**
   * Checks that this user got all results over an unbroken connection. Then connects again, which fetches all results
   * that the user missed.
   */
  async collect(): Promise<void> {
    const since = this.#world.wholeSince(this.userId)
    if (since !== null) this.#world.auditor.checkAllDelivered(this.userId, since)
    for (let tries = 0; tries < FINAL_TRIES && !(await this.#connect()); tries += 1) await this.#world.kernel.sleep(500)
  }

  async #trade(): Promise<void> {
    const { kernel, plan } = this.#world
    for (;;) {
      await kernel.sleep(this.#random.wait(plan.placeEveryMs))
      if (this.#world.isHealed) return
      void this.#place()
    }
  }

  async #place(): Promise<void> {
    const { sentTwice, sentChanged } = this.#world.faults()
    const request = this.#think()
    // The order counts as unanswered until each of the requests sent here has a reply. `finish` repeats unanswered
    // orders.
    this.#unsure.set(request.clientOrderId, request)
    const sent = [this.#send(request, false)]
    if (this.#random.chance(sentTwice)) sent.push(this.#send(request, false))
    if (this.#random.chance(sentChanged)) sent.push(this.#send({ ...request, stake: money(request.stake + 1n) }, false))
    const answers = await Promise.all(sent)
    if (!answers.includes(null)) this.#unsure.delete(request.clientOrderId)
    for (let again = 0; answers.includes(null) && again < MAX_REPEATS; again += 1) {
      await this.#world.kernel.sleep(this.#random.wait(4_000))
      if (this.#world.isHealed || (await this.#send(request, false)) !== null) break
    }
  }

  #think(): OrderRequest {
    const random = this.#random
    const symbol = random.pick(SYMBOLS)
    this.#orderCount += 1
    const cash = Number(this.#world.auditor.cashOf(this.userId))
    const stakes = [random.integer(100, 20_000), random.integer(100, 20_000), cash, cash + 1, 99, 600_000, 33_333]
    const seen = this.#world.auditor.log.lastUntil(symbol.id, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const isGuarded = seen !== null && random.chance(0.3)
    return {
      userId: this.userId,
      clientOrderId: `${this.#name}-${this.#orderCount}`,
      direction: random.chance(0.5) ? BUY : SELL,
      tradeSettingId: random.pick(SETTINGS).id,
      stake: money(BigInt(random.pick(stakes))),
      symbol: symbol.code,
      marketType: null,
      slippageGuard: isGuarded
        ? {
            shown: priceText(price(seen.units), symbol.decimals),
            maxDistance: priceText(price(random.integer(1, 4)), symbol.decimals),
          }
        : null,
    }
  }

  /** Sends a request once. Resolves to null when no reply arrives. */
  async #send(request: OrderRequest, isLast: boolean): Promise<Result<AcceptedOrder, string> | null> {
    const { trace, auditor } = this.#world
    const { clientOrderId, stake, direction, tradeSettingId, slippageGuard } = request
    const symbol = CATALOGUE.find(request.symbol)
    const units = (text: string) => Math.round(Number(text) * 10 ** (symbol?.decimals ?? 0))
    const guard = slippageGuard && { shown: units(slippageGuard.shown), maxDistance: units(slippageGuard.maxDistance) }
    auditor.requests.ask(this.userId, clientOrderId, {
      direction,
      stake,
      settingId: tradeSettingId,
      symbolId: symbol?.id ?? 0,
      guard,
    })
    trace.say(
      `${clientOrderId} asks: ${direction === BUY ? 'buy' : 'sell'} ${request.symbol} ${stake} for setting ${tradeSettingId}`,
    )
    const requestedAt = this.#world.now
    const answer = await this.#world.ask((node) => this.#random.pick(node.engines).place(request))
    if (answer.kind !== 'answered') {
      trace.say(`${clientOrderId}: ${answer.kind}`)
      return null
    }
    const { value } = answer
    trace.say(
      `${clientOrderId}: ${value.ok ? `taken as ${value.value.orderId} at ${value.value.entryPrice}` : value.refusal}`,
    )
    const setting = SETTINGS.find(({ id }) => id === tradeSettingId)
    if (!value.ok && value.refusal === 'exposure_full' && setting !== undefined) {
      const profit = partOf(stake, BigInt(setting.payout), 10_000n)
      auditor.caps.refused({ direction, symbolId: symbol?.id ?? 0, profit, requestedAt })
    }
    // A busy reply is not final, because it only asks the client to retry.
    auditor.requests.answer(this.userId, clientOrderId, value, isLast && !isBusy(value))
    return value
  }

  async #comeAndGo(): Promise<void> {
    const { kernel } = this.#world
    while (!this.#world.isHealed) {
      await this.#connect()
      await kernel.sleep(this.#random.wait(45_000))
      if (this.#world.isHealed) return
      this.#world.disconnect(this.userId)
      await kernel.sleep(this.#random.wait(10_000))
    }
  }

  async #connect(): Promise<boolean> {
    this.#world.connect(this.userId, (order) => this.#onResult(order))
    const since = instant(this.#world.now - DAY_MS)
    const missed = await this.#world.ask((node) => unseenResults(node.ctx.db, [this.userId], since, ALL_RESULTS))
    if (missed.kind !== 'answered') return false
    for (const order of missed.value) this.#onResult(order)
    return true
  }

  #onResult(order: SettledOrder): void {
    this.#world.trace.say(`${this.#name} hears: ${order.orderId} is ${order.result}, ${order.resultAmount}`)
    this.#world.auditor.requests.result(this.userId, order)
    void this.#confirm(order)
  }

  async #confirm({ orderId, resultNumber: number }: SettledOrder): Promise<void> {
    await this.#world.kernel.sleep(this.#random.integer(50, 2_000))
    this.#world.auditor.confirmed(orderId)
    if (number !== null) await this.#world.ask((node) => noteSeen(node.ctx.db, [{ userId: this.userId, number }]))
  }
}

function isBusy(answer: Result<AcceptedOrder, string>): boolean {
  return !answer.ok && answer.refusal === 'busy'
}
