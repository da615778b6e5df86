import { Kysely } from 'kysely'
import type { MarketSymbol } from '#core/markets/market.ts'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { instant, type Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { StreamTopics } from '#server/sockets/stream-topics.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import type { SaidKline } from '#test/support/candle-audit.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { FaultyConnection } from '../simulation/faulty-connection.ts'
import { faultyDialect, type SharedStore } from '../simulation/faulty-dialect.ts'
import { ProcessState } from '../simulation/process-state.ts'
import { NO_FAULTS } from '../simulation/plan.ts'
import type { RestartMarket } from './restart-feeds.ts'
import type { RestartPlan, Run } from './restart-plan.ts'

export interface RestartRunParts {
  readonly kernel: Kernel
  readonly plan: RestartPlan
  readonly run: Run
  readonly market: RestartMarket
  readonly shared: SharedStore
  readonly name: string
  /** The time of the simulated world. */
  readonly worldNow: () => number
  readonly onKline: (kline: SaidKline) => void
}

const SPEAK_MS = 100

/** One run of the tick service with its sockets, from start to stop or kill. */
export class RestartRun {
  readonly ticks: TickService
  readonly now: () => Instant
  readonly #parts: RestartRunParts
  readonly #state: ProcessState
  readonly #topics: StreamTopics
  readonly #speak: (now: number) => void
  readonly lines: string[] = []

  constructor(parts: RestartRunParts) {
    const { kernel, plan, run, market, shared, worldNow } = parts
    this.#parts = parts
    this.#state = new ProcessState(kernel)
    this.now = () => instant(worldNow() + run.clockMs)
    const random = new Random(plan.seed, parts.name)
    const faults = () => ({ ...NO_FAULTS, slow: plan.slow, slowMs: 300 })
    const connection = new FaultyConnection({ kernel, random, state: this.#state, faults, isOut: () => false })
    const ctx = this.#context(random, new Kysely<Tables>({ dialect: faultyDialect(shared, connection) }))
    const { feed, speak } = market.feedFor(ctx, worldNow())
    this.#speak = speak
    this.ticks = createTicks({ ctx, feed, symbols: market.symbols })
    this.#topics = new StreamTopics(ctx, this.ticks)
    this.ticks.onBatch((batch) => this.#topics.accepted(batch))
    this.ticks.onCandleClosed((closed) => this.#topics.closed(closed))
  }

  async start(): Promise<void> {
    await this.ticks.start()
    for (const symbol of this.#parts.market.symbols)
      for (const interval of CHART_INTERVALS) this.#follow(symbol, interval)
    const again = () => {
      this.#speak(this.#parts.worldNow())
      this.#parts.kernel.after(SPEAK_MS, () => this.#state.run(again))
    }
    this.#state.run(again)
  }

  async stop(): Promise<void> {
    this.#topics.stop()
    await this.ticks.stop()
    this.#state.end()
  }

  kill(): void {
    this.#state.end()
  }

  #follow(symbol: MarketSymbol, interval: ChartInterval): void {
    const listed: ListedSymbol = {
      ...symbol,
      productId: symbol.code,
      isFeatured: false,
      color: '',
      image: '',
      closedReason: null,
      splits: [],
    }
    const name = `${symbol.code.toLowerCase()}@kline_${interval}`
    // `Topics` uses only two parts of a connection: the number of waiting bytes, and the function that writes.
    let isFirst = true
    const write = (frame: Buffer) => {
      this.#hear(symbol.id, interval, frame, isFirst)
      isFirst = false
    }
    const connection = { waitingBytes: 0, write }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two parts that topics use
    const follower = { connection: connection as never, isCombined: false }
    this.#topics.follow({ name, symbol: listed, of: { kind: 'kline', interval } }, follower)
  }

  /** The first message contains the newest known bar, which may have closed long ago. */
  #hear(symbolId: number, interval: ChartInterval, frame: Buffer, isFirst: boolean): void {
    const text = frame.subarray(frame.indexOf('{')).toString()
    const { k } = JSON.parse(text) as {
      k: { t: number; x: boolean; o: string; h: string; l: string; c: string; v: string }
    }
    if (isFirst && k.x) return
    this.#parts.onKline({
      by: this,
      symbolId,
      interval,
      openTime: k.t,
      isClosed: k.x,
      values: [k.o, k.h, k.l, k.c, k.v].map(Number),
    })
  }

  #context(random: Random, db: Kysely<Tables>): Ctx {
    const { kernel } = this.#parts
    const keep = (_facts: object, message: string) => void this.lines.push(message)
    const listeners = new Set<(event: DomainEvent) => void>()
    return {
      db,
      log: { debug: () => undefined, info: () => undefined, warn: keep, error: keep },
      clock: {
        now: this.now,
        steady: () => kernel.now,
        isTrusted: () => true,
        after: (ms, run) => kernel.after(ms, () => this.#state.run(run)),
      },
      now: this.now,
      vault: createVault([new Uint8Array(32).fill(7)], (count) => random.bytes(count)),
      newId: () => '0195a000-0000-7000-8000-000000000000',
      randomBytes: (count) => random.bytes(count),
      publish: (event) => {
        for (const listener of listeners) listener(event)
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  }
}
