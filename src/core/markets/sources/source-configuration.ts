import type { SourceClass } from '#core/markets/source-class.ts'

/**
 * A provider of prices. Its hosts (`stream`, `rest`) are absent if a library connects to it or this program makes the
 * prices.
 */
export interface ConfiguredProvider {
  readonly name: string
  readonly kind: string
  readonly stream?: string
  readonly rest?: string
  readonly exchange?: string
}

export interface ConfiguredSource {
  readonly provider: string
  readonly symbol: string
  readonly channel: string
  readonly class: SourceClass
}

type Limits = Readonly<Record<string, number>>

export interface ConfiguredSymbol {
  readonly code: string
  readonly id: number
  readonly decimals: number
  readonly rounding: 'half-even'
  readonly sources: readonly ConfiguredSource[]
  /** The limits of the symbol, where they differ from those of the configuration. */
  readonly limits?: Limits
}

/** Everything that decides which trades become prices, as published. */
export interface SourceConfiguration {
  /** Version and build of the program, as the operator claims it. The field proves nothing. */
  readonly program: string
  readonly providers: readonly ConfiguredProvider[]
  readonly limits: Limits
  readonly symbols: readonly ConfiguredSymbol[]
}

/** Whether two configurations are the same, in every part. */
export function isSameConfiguration(one: SourceConfiguration, two: SourceConfiguration): boolean {
  const parts = ({ program, providers, limits, symbols }: SourceConfiguration) =>
    JSON.stringify([program, providers, limits, symbols])
  return parts(one) === parts(two)
}

/**
 * Returns the sources of a symbol until a new configuration takes effect: the sources in force that the new
 * configuration keeps, with the limits in force. Null when the new configuration keeps none of them, so that no order
 * gets its entry price from a source that was not announced.
 */
export function servedMeanwhile(
  symbolId: number,
  inForce: SourceConfiguration,
  next: SourceConfiguration,
): { readonly sources: readonly ConfiguredSource[]; readonly limits: Limits } | null {
  const symbolOf = ({ symbols }: SourceConfiguration) => symbols.find(({ id }) => id === symbolId)
  const [before, after] = [symbolOf(inForce), symbolOf(next)]
  if (before === undefined || after === undefined) return null
  const wordsOf = (source: ConfiguredSource, { providers }: SourceConfiguration) =>
    JSON.stringify([source, providers.find(({ name }) => name === source.provider)])
  const remaining = new Set(after.sources.map((source) => wordsOf(source, next)))
  const sources = before.sources.filter((source) => remaining.has(wordsOf(source, inForce)))
  return sources.length === 0 ? null : { sources, limits: before.limits ?? inForce.limits }
}
