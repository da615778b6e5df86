import { PRICE_SOURCES, type PriceSource } from '#core/indicators/price-source.ts'

export const INDICATOR_KINDS = [
  'sma',
  'ema',
  'wma',
  'bollinger',
  'vwap',
  'volume_average',
  'rsi',
  'macd',
  'stochastic',
  'atr',
] as const
export type IndicatorKind = (typeof INDICATOR_KINDS)[number]

/** A parameter of an indicator that users can change, with its limits. */
export interface ParameterRange {
  readonly name: 'length' | 'deviations' | 'fast' | 'slow' | 'signal' | 'smooth_k' | 'smooth_d'
  readonly preset: number
  readonly min: number
  readonly max: number
  /** The distance of two allowed values. 1 allows whole numbers only. */
  readonly step: number
}

interface KindFacts {
  readonly name: string
  /**
   * Where the chart draws the indicator. `price`: over the candles. `volume`: over the volume. `pane`: in a separate
   * pane.
   */
  readonly place: 'price' | 'volume' | 'pane'
  readonly parameters: readonly ParameterRange[]
  readonly hasSource: boolean
  /** How many indicators of this kind a chart can have. */
  readonly max: number
  /**
   * The names of the indicator's values, in the order in which they are computed. Empty for an indicator with a single
   * value.
   */
  readonly values: readonly string[]
  /** The levels that the chart marks in the pane, such as 30 and 70. */
  readonly levels: readonly number[]
}

const length = (preset: number, max: number): ParameterRange => ({ name: 'length', preset, min: 2, max, step: 1 })
const span = (name: ParameterRange['name'], preset: number, min = 1): ParameterRange => ({
  name,
  preset,
  min,
  max: 200,
  step: 1,
})
const plain = { hasSource: false, max: 1, values: [], levels: [] } as const
const average = { ...plain, place: 'price', parameters: [length(20, 400)], hasSource: true, max: 3 } as const

/** The indicators of the chart. Their names are the same in every language. */
export const INDICATORS: Readonly<Record<IndicatorKind, KindFacts>> = {
  sma: { ...average, name: 'SMA' },
  ema: { ...average, name: 'EMA' },
  wma: { ...average, name: 'WMA' },
  bollinger: {
    ...plain,
    name: 'BOLL',
    place: 'price',
    parameters: [length(20, 400), { name: 'deviations', preset: 2, min: 0.5, max: 5, step: 0.1 }],
    values: ['↓', '–', '↑'],
  },
  vwap: { ...plain, name: 'VWAP', place: 'price', parameters: [] },
  volume_average: { ...plain, name: 'VOL MA', place: 'volume', parameters: [length(20, 400)] },
  rsi: { ...plain, name: 'RSI', place: 'pane', parameters: [length(14, 200)], levels: [30, 70] },
  macd: {
    ...plain,
    name: 'MACD',
    place: 'pane',
    parameters: [span('fast', 12, 2), span('slow', 26, 2), span('signal', 9, 2)],
    values: ['MACD', 'SIG', 'DIFF'],
  },
  stochastic: {
    ...plain,
    name: 'STOCH',
    place: 'pane',
    parameters: [length(14, 200), span('smooth_k', 3), span('smooth_d', 3)],
    values: ['%K', '%D'],
    levels: [20, 80],
  },
  atr: { ...plain, name: 'ATR', place: 'pane', parameters: [length(14, 200)] },
}

/** An indicator as the user has set it up. */
export interface IndicatorSettings {
  readonly kind: IndicatorKind
  /** The values of its parameters, in the order of `INDICATORS`. */
  readonly parameters: readonly number[]
  readonly source: PriceSource
  /** The number of a line colour: 0 to `LINE_COLOURS` - 1. */
  readonly colour: number
}

export const MAX_INDICATORS = 8
/** The number of line colours. */
export const LINE_COLOURS = 5

/** Returns the settings of an indicator that the user has just added and not changed. */
export function presetOf(kind: IndicatorKind, colour: number): IndicatorSettings {
  return { kind, parameters: INDICATORS[kind].parameters.map(({ preset }) => preset), source: 'close', colour }
}

/** Returns the name with its parameters: "MACD 12, 26, 9". */
export function indicatorName({ kind, parameters, source }: IndicatorSettings): string {
  const { name, hasSource } = INDICATORS[kind]
  const text = [name, parameters.join(', ')].filter((part) => part !== '').join(' ')
  return hasSource && source !== 'close' ? `${text} ${source}` : text
}

/** Whether a user may add one more indicator of a kind to a chart that has these indicators. */
export function mayAdd(kind: IndicatorKind, present: readonly IndicatorSettings[]): boolean {
  return present.length < MAX_INDICATORS && present.filter((one) => one.kind === kind).length < INDICATORS[kind].max
}

/** Reads stored indicators. Unknown indicators are left out. Numbers out of range become the nearest allowed number. */
export function readIndicators(stored: readonly unknown[]): readonly IndicatorSettings[] {
  return stored.reduce<readonly IndicatorSettings[]>((found, one) => {
    const read = readIndicator(one)
    return read === null || !mayAdd(read.kind, found) ? found : [...found, read]
  }, [])
}

function readIndicator(stored: unknown): IndicatorSettings | null {
  const { kind, parameters, source, colour } = Object(stored) as Partial<Record<keyof IndicatorSettings, unknown>>
  const known = INDICATOR_KINDS.find((one) => one === kind)
  if (known === undefined) return null
  const given: readonly unknown[] = Array.isArray(parameters) ? parameters : []
  return {
    kind: known,
    parameters: INDICATORS[known].parameters.map((range, at) => inRange(given[at], range)),
    source: PRICE_SOURCES.find((one) => one === source) ?? 'close',
    colour: inRange(colour, { preset: 0, min: 0, max: LINE_COLOURS - 1, step: 1 }),
  }
}

/** Limits a number to a range and rounds it to a step. Returns the preset for anything that is not a number. */
export function inRange(value: unknown, { preset, min, max, step }: Omit<ParameterRange, 'name'>): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return preset
  const steps = Math.round(Math.max(min, Math.min(max, value)) / step)
  return Number((steps * step).toFixed(1))
}
