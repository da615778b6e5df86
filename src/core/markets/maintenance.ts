import { type Instant, MINUTE_MS } from '#core/time/instant.ts'

/** 10 min: users learn of a maintenance at least this long before it. */
export const MAINTENANCE_NOTICE_MS = 10 * MINUTE_MS

/** A time in which the site accepts no orders from anyone. */
export interface Maintenance {
  readonly from: Instant
  /** Null for a maintenance without a planned end. */
  readonly to: Instant | null
  /** The reason that users see. */
  readonly words: string
}

/**
 * The state of a stored maintenance. A maintenance that staff end before its beginning is cancelled. A maintenance that
 * ended after its beginning is over.
 */
export function maintenanceState(
  { from, to, endAt }: Pick<Maintenance, 'from' | 'to'> & { readonly endAt: Instant | null },
  now: Instant,
): 'planned' | 'running' | 'over' | 'cancelled' {
  if (endAt !== null) return endAt < from ? 'cancelled' : 'over'
  if (to !== null && to <= now) return 'over'
  return from <= now ? 'running' : 'planned'
}

/**
 * Why a new order is refused: the time until its expiry overlaps a maintenance. The refusal depends on the times alone,
 * never on the user.
 */
type MaintenanceRefusal =
  | { readonly refusal: 'maintenance_planned'; readonly at: Instant }
  | { readonly refusal: 'maintenance_now'; readonly at: Instant }
  | { readonly refusal: 'trading_paused'; readonly at: null }

/** Returns the maintenance that is in effect now. Null when there is none. */
export function runningMaintenance(all: readonly Maintenance[], now: Instant): Maintenance | null {
  return all.find(({ from, to }) => from <= now && (to === null || to > now)) ?? null
}

/** Decides whether an order from `now` to `expiresAt` overlaps a maintenance. */
export function maintenanceRefusal(
  all: readonly Maintenance[],
  now: Instant,
  expiresAt: Instant,
): MaintenanceRefusal | null {
  const running = runningMaintenance(all, now)
  if (running !== null) {
    const { to } = running
    return to === null ? { refusal: 'trading_paused', at: null } : { refusal: 'maintenance_now', at: to }
  }
  const next = all.filter(({ from }) => from > now && expiresAt > from).toSorted((a, b) => a.from - b.from)[0]
  return next === undefined ? null : { refusal: 'maintenance_planned', at: next.from }
}
