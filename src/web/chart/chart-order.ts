import type { Direction } from '#core/orders/order.ts'

/** An order on the chart, or the preview of the order in the form. Times are in milliseconds UTC. */
export interface ChartOrder {
  readonly id: string
  readonly direction: Direction
  readonly entryPrice: number
  readonly openedAt: number
  readonly expiresAt: number
  /** The selected order has zones; other orders have only line and dot. */
  readonly isSelected: boolean
  /** An order that is not placed yet: zones without dot and label, moving with the price. */
  readonly isPreview: boolean
  readonly exit: { readonly price: number; readonly time: number } | null
}

/** Texts drawn inside the chart, in the user's language. */
export interface ZoneWords {
  readonly aboveWins: string
  readonly belowLoses: string
  readonly aboveLoses: string
  readonly belowWins: string
}
