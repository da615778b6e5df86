/** A candle with its opening time in milliseconds UTC. */
export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** The provider of a candle that was not made from the ticks of this site. */
  readonly source?: string
  /** Set if prices are missing within the candle's time. */
  readonly isPartial?: true
}
