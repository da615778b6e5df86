import type { LeftOutReason } from '#core/markets/log-text.ts'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import type { ArbiterEffect, SourceIndex } from '#core/markets/sources/arbiter-types.ts'
import { readQuotePrice, readQuoteVolume } from '#core/markets/sources/read-quote.ts'
import { SourceArbiter } from '#core/markets/sources/source-arbiter.ts'
import {
  addUnused,
  countUnused,
  type UnusedTradeCounts,
  type UnusedTradeReason,
} from '#core/markets/sources/unused-trade.ts'
import { priceText } from '#core/money/price.ts'
import { assert } from '#core/result.ts'
import { type Instant, later } from '#core/time/instant.ts'
import type { FeedSink, SourceHealth } from '#server/market-data/feeds/base/feed.ts'
import type { IncidentNote, SymbolSources } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import type { Quote } from '#server/market-data/feeds/providers/provider.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'
import { MAX_TICK_DELAY_MS } from '#core/markets/tick.ts'

export interface FollowedSymbolOptions {
  readonly symbol: MarketSymbol
  readonly from: SymbolSources
  readonly startedAt: Instant
  readonly sink: FeedSink
  readonly onIncident: (incident: IncidentNote) => void
}

/** One symbol: passes quotes of its sources to its arbiter, and publishes the arbiter's decisions. */
export class FollowedSymbol {
  readonly #options: FollowedSymbolOptions
  readonly #arbiter: SourceArbiter
  /** Trades that adapters did not use, by source. The arbiter counts the other trades. */
  readonly #unused: readonly UnusedTradeCounts[]

  constructor(options: FollowedSymbolOptions) {
    const { symbol, from, startedAt } = options
    this.#options = options
    this.#unused = from.sources.map(() => ({}))
    this.#arbiter = new SourceArbiter({
      limits: {
        ...from.limits,
        maxTickAgeMs: symbol.maxTickAgeMs,
        maxClockSkewMs: MAX_CLOCK_SKEW_MS,
        maxTickDelayMs: MAX_TICK_DELAY_MS,
      },
      sources: from.sources.length > 1 ? 2 : 1,
      startedAt,
      session: createSessionLookup(symbol.marketType),
    })
  }

  /** Handles a quote. A price or volume that is not a valid number for the symbol is counted as a trade with an unknown price. */
  quote(index: SourceIndex, quote: Quote, now: Instant): void {
    const price = readQuotePrice(quote.price, this.#options.symbol.decimals)
    const volume = readQuoteVolume(quote.volume)
    if (price === null || volume === null || !Number.isSafeInteger(quote.time)) {
      this.unused(index, 'unreadable')
      if (price === null && this.#isUsed(index)) this.#leftOut(index, quote.ref, 'number')
      if (Number.isSafeInteger(quote.time)) this.lost(index, later(quote.time, -1), now)
    } else this.#apply(this.#arbiter.quote(index, { price, volume, time: quote.time, ref: quote.ref }, now))
  }

  alive(index: SourceIndex, time: Instant, now: Instant): void {
    if (Number.isSafeInteger(time)) this.#apply(this.#arbiter.alive(index, time, now))
  }

  /** Notes that trades of a source after `from` were lost. */
  lost(index: SourceIndex, from: Instant, now: Instant): void {
    if (this.#isUsed(index)) this.#options.sink.misses?.(this.id, from)
    this.#apply(this.#arbiter.lost(index, from, now))
  }

  /** Notes that a source could not report its trades for a time. */
  interrupted(index: SourceIndex): void {
    if (this.#isUsed(index)) this.#options.sink.misses?.(this.id, null)
  }

  /** Counts a trade that the adapter of a source did not use. `back`: see `ProviderSink`. */
  unused(index: SourceIndex, reason: UnusedTradeReason, back?: number): void {
    if (this.#isUsed(index)) this.#leftOut(index, back, 'back')
    const counts = this.#unused[index]
    if (counts !== undefined) countUnused(counts, reason)
  }

  refused(index: SourceIndex, now: Instant): void {
    this.#apply(this.#arbiter.refused(index, now))
  }

  look(now: Instant): void {
    this.#apply(this.#arbiter.look(now))
  }

  get id(): number {
    return this.#options.symbol.id
  }

  health(): SourceHealth[] {
    const { symbol } = this.#options
    return this.#arbiter.sources.map(({ state, newestAt, lastMessageAt, unused: judged }, index) => {
      const { provider, symbol: providerSymbol } = this.#source(index)
      const isUsed = this.#arbiter.used === index
      const unused = addUnused([judged, this.#unused[index] ?? {}])
      return { symbolId: symbol.id, provider, providerSymbol, state, isUsed, newestAt, heardAt: lastMessageAt, unused }
    })
  }

  #isUsed(index: SourceIndex): boolean {
    return this.#arbiter.used === index
  }

  /** Notes in the log that a trade of the source in use makes no price. A trade without a number cannot be named. */
  #leftOut(index: SourceIndex, ref: number | undefined, why: LeftOutReason): void {
    if (ref === undefined) return
    const { provider: source } = this.#source(index)
    this.#options.sink.note?.({ kind: 'x', symbolId: this.id, source, from: ref, to: ref, why })
  }

  #apply(effects: readonly ArbiterEffect[]): void {
    for (const effect of effects) this.#carryOut(effect)
  }

  #carryOut(effect: ArbiterEffect): void {
    const { symbol, sink, onIncident } = this.#options
    const about = { symbolId: symbol.id }
    switch (effect.kind) {
      case 'tick':
        return sink.tick({ ...about, ...effect.quote, source: this.#source(effect.source).provider })
      case 'heartbeat':
        return sink.heartbeat(symbol.id, effect.time)
      case 'doubt':
        return sink.doubt(symbol.id, effect.doubt)
      case 'switched': {
        const { provider } = this.#source(effect.to)
        const why = effect.why === 'well' ? 'back' : effect.why
        sink.note?.({ kind: 'u', symbolId: symbol.id, source: provider, why })
        if (effect.why !== 'well') sink.misses?.(symbol.id, null)
        const detail = effect.why === 'well' ? 'the first source is well again' : `the other source is ${effect.why}`
        return onIncident({ ...about, phase: 'happened', kind: 'switched', source: provider, at: effect.at, detail })
      }
      case 'missed':
        return sink.misses?.(symbol.id, effect.from)
      case 'left_out':
        return this.#leftOut(effect.source, effect.ref, effect.why)
      case 'dropped': {
        const { provider } = this.#source(effect.source)
        const detail = `${priceText(effect.quote.price, symbol.decimals)} at ${effect.quote.time} was not confirmed`
        return onIncident({
          ...about,
          phase: 'happened',
          kind: 'spike_dropped',
          source: provider,
          at: effect.at,
          detail,
        })
      }
      case 'began':
      case 'ended': {
        const source = effect.source === null ? null : this.#source(effect.source).provider
        return onIncident({ ...about, phase: effect.kind, kind: effect.trouble, source, at: effect.at, detail: '' })
      }
    }
  }

  #source(index: number) {
    const source = this.#options.from.sources[index]
    assert(source !== undefined, `${this.#options.symbol.code} has a source ${index}`)
    return source
  }
}
