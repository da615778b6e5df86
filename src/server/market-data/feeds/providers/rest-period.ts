import { type Instant, instant, later, toIso } from '#core/time/instant.ts'
import type { ProviderSink, ProviderTools } from '#server/market-data/feeds/providers/provider.ts'

/**
 * A pause that a provider requested. All callers of one kind share one period. Its end is measured in elapsed time, so
 * that a change of the wall clock does not prolong it.
 */
export class RestPeriod {
  #endsAt = Number.NEGATIVE_INFINITY
  readonly #clock: Pick<ProviderTools['clock'], 'now' | 'steady'>
  readonly #onBegin: (until: Instant, why: string) => void

  constructor(
    clock: Pick<ProviderTools['clock'], 'now' | 'steady'>,
    onBegin: (until: Instant, why: string) => void = () => undefined,
  ) {
    this.#clock = clock
    this.#onBegin = onBegin
  }

  /** Begins a pause, unless it would end before the current one. */
  begin(ms: number, why: string): void {
    const endsAt = this.#clock.steady() + Math.ceil(ms)
    if (ms <= 0 || endsAt <= this.#endsAt) return
    this.#endsAt = endsAt
    const until = later(this.#clock.now(), Math.ceil(ms))
    this.#onBegin(until, `${why}; asked again after ${toIso(until)}`)
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.steady())
  }

  get until(): Instant | null {
    const { leftMs } = this
    return leftMs > 0 ? instant(Math.round(this.#clock.now() + leftMs)) : null
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
