import { decidePlacement, MAX_ENTRY_LATE_MS, type Placement, type Terms } from '#core/orders/place-order.ts'
import type { PriceGroup } from '#core/orders/rules/price-group.ts'
import { TRX_BYTES, trxFrom } from '#core/orders/trx.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { type Instant, later, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Ticks } from '#server/market-data/ticks.ts'
import type { OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'

export interface OrderPlannerParts {
  readonly ctx: Pick<Ctx, 'newId' | 'now' | 'randomBytes'>
  readonly ticks: Pick<Ticks, 'latest' | 'doubt' | 'head' | 'feedDelayMs' | 'waitingSince'>
  readonly catalogue: MarketCatalogue
}

/** Up to a delay of 150 ms, users who know prices earlier gain nothing (docs/reference/simulation.md). */
const MAX_UNNOTICED_DELAY_MS = 150
/** While a newer price waits longer than 1 s for the log, no order is accepted at the newest logged price. */
const MAX_UNLOGGED_MS = 1_000

/** Fixes the terms and the entry price at which a requested order would be accepted. */
export class OrderPlanner {
  readonly #parts: OrderPlannerParts

  constructor(parts: OrderPlannerParts) {
    this.#parts = parts
  }

  /** How long an order on this symbol waits. The wait is the same for every user and every kind of order. */
  holdMs(request: OrderRequest): number {
    const symbol = this.#parts.catalogue.find(request.symbol)
    if (symbol === null) return 0
    const late = this.#parts.ticks.feedDelayMs(symbol.id)
    // An order on a symbol with a longer delay is not held. The order is refused when its batch is planned.
    return late > MAX_UNNOTICED_DELAY_MS && late <= maxHoldMs(symbol) ? late : 0
  }

  plan(request: OrderRequest): Result<PlannedOrder, OrderRefusal> {
    const { ctx, ticks, catalogue } = this.#parts
    // These two rules are checked only here, so that a repeat of an order that was accepted before still gets its first
    // reply.
    if (request.owesConsent === true) return refuse('terms_needed')
    if (request.isPlaceRefused === true) return refuse('place_not_allowed')
    const symbol = catalogue.find(request.symbol)
    const now = ctx.now()
    if (!catalogue.areTermsLogged(now)) return refuse('terms_not_logged')
    const terms = catalogue.settings.find((setting) => setting.id === request.tradeSettingId) ?? null
    const expiresAt = later(now, (terms?.seconds ?? 0) * SECOND_MS)
    const maxTickAgeMs = symbol && (isByRule1(terms) ? this.#settlementAge(symbol, expiresAt) : symbol.maxTickAgeMs)
    const decision = decidePlacement({
      symbol: symbol && withStricterAge(symbol, maxTickAgeMs ?? symbol.maxTickAgeMs),
      requestedMarketType: request.marketType,
      marketClosedReason: symbol === null ? null : (catalogue.closures.get(symbol.marketType) ?? null),
      terms,
      stake: request.stake,
      newest: symbol === null ? null : ticks.latest(symbol.id),
      pause: symbol && catalogue.pauseOf(symbol.id, now),
      hasPendingSources: symbol !== null && ticks.doubt(symbol.id) === 'pending',
      isInDoubt: symbol !== null && this.#isInDoubt(symbol, now),
      plannedClosures: catalogue.planned,
      maintenance: catalogue.maintenance,
      slippageGuard: request.slippageGuard,
      shownPayout: request.shownPayout ?? null,
      shownSeconds: request.shownSeconds ?? null,
      validUntil: request.validUntil ?? null,
      now,
    })
    if (!decision.ok) return decision
    const age = maxTickAgeMs ?? decision.value.symbol.maxTickAgeMs
    return ok<PlannedOrder>({
      userId: request.userId,
      orderId: ctx.newId(),
      trx: trxFrom(ctx.randomBytes(TRX_BYTES), decision.value.openedAt),
      clientOrderId: request.clientOrderId,
      direction: request.direction,
      stake: request.stake,
      placement: decision.value,
      maxTickAgeMs: age,
      group: isByRule1(terms) ? undefined : this.#groupOf(decision.value, age),
      isBot: request.isBot ?? false,
      receivedAt: request.receivedAt ?? null,
      head: ticks.head(),
    })
  }

  #groupOf({ symbol, entry, terms }: Placement, maxTickAgeMs: number): PriceGroup {
    const evidence = this.#parts.catalogue.evidenceOf(symbol.id, entry.source)
    return { rule: terms.rule, source: entry.source, maxTickAgeMs, evidence }
  }

  /**
   * Returns the maximum age of the price that settles an order of this expiry under rule 1. All orders of an expiry
   * then have the same maximum age.
   */
  #settlementAge(symbol: ListedSymbol, expiresAt: Instant): number {
    return this.#parts.catalogue.tickAgeAt(symbol.id, expiresAt) ?? symbol.maxTickAgeMs
  }

  #isInDoubt(symbol: ListedSymbol, now: Instant): boolean {
    const { ticks } = this.#parts
    const since = ticks.waitingSince(symbol.id)
    const hasUnloggedPrice = since !== null && now - since > MAX_UNLOGGED_MS
    return hasUnloggedPrice || ticks.doubt(symbol.id) !== null || ticks.feedDelayMs(symbol.id) > maxHoldMs(symbol)
  }
}

function isByRule1(terms: Terms | null): boolean {
  return terms === null || terms.rule === 1
}

/**
 * Gives the symbol the smaller of two maximum price ages: of now and of the expiry. The limit may change in between.
 */
function withStricterAge(symbol: ListedSymbol, ageAtExpiryMs: number): ListedSymbol {
  return ageAtExpiryMs < symbol.maxTickAgeMs ? { ...symbol, maxTickAgeMs: ageAtExpiryMs } : symbol
}

function maxHoldMs({ maxTickAgeMs }: Pick<ListedSymbol, 'maxTickAgeMs'>): number {
  return Math.min(MAX_ENTRY_LATE_MS, maxTickAgeMs)
}
