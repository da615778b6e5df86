import { storeOfUser } from '#web/session/store-of-user.ts'

/** The line that the user is placing on a chart. */
interface PlacedAlert {
  readonly symbol: string
  /** The alert that the line moves. Null for a new one. */
  readonly id: string | null
  /** The price of the line. Null: the chart chooses where the line starts. */
  readonly level: string | null
}

/** Null while the user is placing no line. */
export const placedAlert = storeOfUser<PlacedAlert | null>(null)
