import { Kysely } from 'kysely'
import { instant, type Instant } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { createEngine, type RunningEngine } from '#server/trading/engine/create-engine.ts'
import { createEngineStore, type EngineStore } from '#server/trading/engine/engine-store.ts'
import { collectEvidence, EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import type { EvidenceParts } from '#server/trading/evidence/evidence-collector.ts'
import { findHistoryAnswer } from '#server/trading/evidence/history-question.queries.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import type { TickService } from '#server/market-data/ticks.ts'
import { ScriptedProvider } from '#test/support/scripted-provider.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { FaultyConnection } from './faulty-connection.ts'
import { faultyDialect, type SharedStore } from './faulty-dialect.ts'
import { faultyEngineStore } from './faulty-engine-store.ts'
import { ProcessState } from './process-state.ts'
import { isNumbered, type SourceName, SOURCES, type Word } from './source-words.ts'
import { NumberedProvider } from './numbered-provider.ts'
import type { Parts } from './injection-points.ts'
import type { Faults, Plan } from './plan.ts'
import { SYMBOLS } from '../auditor/site-terms.ts'
import type { RecordAnswer } from '../auditor/line-audit.ts'
import { catalogueOf } from './seed-world.ts'
import { recordAddress, type TradeList } from './trade-list.ts'

const MAX_CLOCK_ERROR_MS = 5_000

/** The environment that all processes share. */
export interface Surroundings {
  readonly kernel: Kernel
  readonly plan: Plan
  readonly startAt: number
  readonly parts: Parts
  readonly faults: () => Faults
  readonly isOut: () => boolean
  readonly shared: SharedStore
  /** Creates the engine store. Null if the store has none; then the engine uses the shared store. */
  readonly engineStore: ((work: () => Promise<void>) => EngineStore) | null
  readonly newId: () => string
  /** The clock error of the servers. */
  readonly clockOffset: () => number
  readonly isRecordAway: () => boolean
  readonly tradesOf: (source: SourceName) => ReadonlyMap<string, TradeList>
  readonly onAnswer: (answer: RecordAnswer) => void
  readonly onEvent: (announcement: DomainEvent, node: SimNode) => void
  readonly logged: (level: string, facts: object, message: string) => void
}

/** One server: the real feed, ticks and engines, on a virtual clock, with injected faults. */
export class SimNode {
  readonly state: ProcessState
  readonly ctx: Ctx
  readonly engines: readonly RunningEngine[]
  readonly ticks: TickService
  readonly #providers: Readonly<Record<SourceName, ScriptedProvider | NumberedProvider>>
  readonly #evidence: EvidenceParts | null
  #stopEvidence: (() => Promise<void>) | null = null

  constructor(around: Surroundings, name: string) {
    const { kernel, plan, parts, shared } = around
    const random = new Random(plan.seed, name)
    this.state = new ProcessState(kernel)
    const door = new FaultyConnection({ kernel, random, state: this.state, faults: around.faults, isOut: around.isOut })
    this.ctx = this.#context(around, random, new Kysely<Tables>({ dialect: faultyDialect(shared, door) }))
    const [first, second] = SOURCES
    this.#providers = { first: this.#provider(around, first, name), second: this.#provider(around, second, name) }
    this.ticks = createTicks({ ctx: this.ctx, feed: this.#feed(), symbols: SYMBOLS })
    const evidence = { ctx: this.ctx, ticks: this.ticks, waits: EVIDENCE_WAITS.demo }
    this.#evidence = plan.rule === 2 ? parts.evidence(evidence) : null
    this.engines = Array.from({ length: plan.engines }, () => {
      const own = around.engineStore?.(() => door.work())
      return createEngine({
        ctx: this.ctx,
        ticks: parts.ticks(this.ticks),
        catalogue: catalogueOf(plan, parts.catalogue),
        readHistory: parts.readHistory((question) => findHistoryAnswer(this.ctx.db, question), this.ticks),
        connections: 2,
        store: parts.engineStore(own ? faultyEngineStore(own, door) : createEngineStore(this.ctx), this.ctx.db),
        limits: { maxOpenOrders: 8, maxBatchSize: plan.maxBatchSize },
      })
    })
  }

  /** Rejects when the server cannot start. The supervisor then retries. */
  async start(): Promise<void> {
    await this.ticks.start()
    for (const engine of this.engines) await engine.start()
    // Only under rule 2 do orders wait for evidence. Under rule 1 `#evidence` is null, so that nothing collects it.
    if (this.#evidence !== null) this.#stopEvidence = collectEvidence(this.#evidence)
  }

  async stop(): Promise<void> {
    await this.#stopEvidence?.()
    for (const engine of this.engines) await engine.stop()
    await this.ticks.stop()
  }

  /** Passes a message of a source to this server. */
  hear(source: SourceName, word: Word): void {
    const provider = this.#providers[source]
    this.state.run(() => {
      if (word.kind === 'alive' || word.kind === 'quote') {
        if (!(provider instanceof ScriptedProvider)) return
        if (word.kind === 'alive') provider.alive(word.symbol, word.time)
        else provider.quote(word.quote.symbol, word.quote.price, word.quote.time, word.quote)
      } else if (provider instanceof NumberedProvider) provider.hear(word)
    })
  }

  #provider(around: Surroundings, source: SourceName, node: string): ScriptedProvider | NumberedProvider {
    const { kernel, plan, startAt, faults, isRecordAway, tradesOf, onAnswer } = around
    if (!isNumbered(plan, source)) return new ScriptedProvider(source)
    const { state } = this
    return new NumberedProvider({
      name: source,
      clock: this.ctx.clock,
      record: recordAddress({
        kernel,
        random: new Random(plan.seed, `record of ${source} for ${node}`),
        faults,
        isAway: isRecordAway,
        lists: tradesOf(source),
      }),
      now: () => startAt + kernel.now,
      onAnswer: ({ symbol: code, from, through }, requestedAt, stretch) => {
        const symbolId = SYMBOLS.find((symbol) => symbol.code === code)?.id ?? 0
        if (state.isAlive) onAnswer({ source, symbolId, requestedAt, from: from.time, through, stretch })
      },
    })
  }

  #feed(): Feed {
    return createMarketFeed({
      clock: this.ctx.clock,
      log: this.ctx.log,
      providers: new Map(SOURCES.map((name) => [name, this.#providers[name]])),
      symbols: SYMBOLS,
      sourcesOf: ({ code }) => ({
        sources: SOURCES.map((provider) => ({ provider, symbol: code, channel: 'trade' })),
        limits: limitsOf({ limits: { silentAfterMs: 4_000 } }, {}),
      }),
      history: () => Promise.resolve([]),
      onIncident: () => undefined,
    })
  }

  #context(around: Surroundings, random: Random, db: Kysely<Tables>): Ctx {
    const { kernel, plan, startAt, clockOffset, logged } = around
    const now = (): Instant => instant(startAt + kernel.now + clockOffset())
    const listeners = new Set<(announcement: DomainEvent) => void>()
    const write = (level: string) => (facts: object, message: string) => logged(level, facts, message)
    const log: Log = { debug: () => {}, info: write('info'), warn: write('warn'), error: write('error') }
    return {
      db,
      log,
      clock: {
        now,
        steady: () => kernel.now,
        // The product does not trust a clock that differs more from the database's clock.
        isTrusted: () => plan.rule === 1 || Math.abs(clockOffset()) <= MAX_CLOCK_ERROR_MS,
        after: (ms, run) => kernel.after(ms, () => this.state.run(run)),
      },
      now,
      vault: createVault([new Uint8Array(32).fill(7)], (count) => random.bytes(count)),
      newId: around.newId,
      randomBytes: (count) => random.bytes(count),
      publish: (announcement) => {
        for (const listener of listeners) listener(announcement)
        around.onEvent(announcement, this)
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
  }
}
