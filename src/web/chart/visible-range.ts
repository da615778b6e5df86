/** The visible positions on the axis, as fractional bar indexes. */
export interface VisibleRange {
  readonly from: number
  readonly to: number
}
