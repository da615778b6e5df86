import type { Direction } from '#core/orders/order.ts'

/** What the chart draws of an order, or of the one the form would make. Times in milliseconds UTC. */
export interface ChartOrder {
  readonly id: string
  readonly direction: Direction
  readonly entryPrice: number
  readonly openedAt: number
  readonly expiresAt: number
  /** The selected order has its zones; the others only line and dot. */
  readonly isSelected: boolean
  /** Not placed yet: zones without dot and label, moving with the price. */
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
