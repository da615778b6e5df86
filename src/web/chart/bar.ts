/** A candle with its opening time in milliseconds UTC. */
export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** Set where it is not made of our own ticks: who it came from. */
  readonly source?: string
  /** Prices were missed within its time. */
  readonly isPartial?: true
}
