import { type Instant, instant, toIso } from '#core/time/instant.ts'
import type { ProviderSink, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'

/** The end of a pause that a provider requested. All callers of one kind share one period. */
export class RestPeriod {
  #until = 0
  readonly #clock: Pick<ProviderTools['clock'], 'now'>
  readonly #onBegin: (until: Instant, why: string) => void

  constructor(
    clock: Pick<ProviderTools['clock'], 'now'>,
    onBegin: (until: Instant, why: string) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#onBegin = onBegin
  }

  /** Begins a pause, unless it would end before the current one. */
  begin(ms: number, why: string): void {
    const until = this.#clock.now() + Math.ceil(ms)
    if (ms <= 0 || until <= this.#until) return
    this.#until = until
    this.#onBegin(instant(until), `${why}; asked again after ${toIso(instant(until))}`)
  }

  get leftMs(): number {
    return Math.max(0, this.#until - this.#clock.now())
  }

  get until(): Instant | null {
    return this.leftMs > 0 ? instant(this.#until) : null
  }
}

/**
 * The pauses of one provider, separate for REST calls and for connections. The provider counts both separately, so a
 * ban of one kind does not affect the other.
 */
export class RestPeriods {
  readonly calls: RestPeriod
  readonly connections: RestPeriod
  /** Receives each new pause once the provider is started. */
  sink: Pick<ProviderSink, 'trouble'> | null = null

  constructor({ clock }: Pick<ProviderTools, 'clock'>) {
    const onBegin = (until: Instant, why: string) => this.sink?.trouble({ kind: 'resting', until, why })
    this.calls = new RestPeriod(clock, onBegin)
    this.connections = new RestPeriod(clock, onBegin)
  }

  /** The end of the pause that ends later; null when there is no pause. */
  get until(): Instant | null {
    const ends = [this.calls.until, this.connections.until].filter((end) => end !== null)
    return ends.length === 0 ? null : instant(Math.max(...ends))
  }
}
