import type { DomainEvent } from '#server/platform/runtime/events.ts'

/**
 * The areas to reload after missed events. They change from minute to minute. The pages of other areas load their data
 * when staff open them.
 */
const EVERYTHING_SEEN = [
  'orders',
  'users',
  'ledger',
  'dashboard',
  'deposits',
  'arrivals',
  'withdrawals',
  'recoveries',
  'tickets',
  'payment-files',
  'counts',
  'markets',
]

/** Returns the areas of the back office whose open pages may be outdated after an event. */
export function changedAreas(announcement: DomainEvent): readonly string[] {
  switch (announcement.kind) {
    case 'order-accepted':
      return ['orders', 'dashboard']
    case 'order-settled':
      return ['orders', 'users', 'ledger', 'dashboard']
    case 'balance-changed':
      return ['users', 'ledger']
    case 'deposit-asked':
    case 'deposit-decided':
      return ['deposits', 'arrivals', 'counts', 'users', 'dashboard']
    case 'withdrawal-changed':
      return ['withdrawals', 'payment-files', 'counts', 'users', 'dashboard']
    case 'account-changed':
      // A user who stops or finishes a recovery also causes this event.
      return ['users', 'dashboard', 'recoveries', 'counts']
    case 'trade-status-changed':
    case 'limits-changed':
    case 'session-ended':
    case 'new-device':
      return ['users']
    case 'markets-changed':
      return ['markets', 'dashboard']
    case 'settings-changed':
      // An agreed change of the rules by country or of the offered languages causes only this event.
      return ['settings', 'countries', 'languages']
    case 'notice':
    case 'alert-fired':
    case 'candles-rebuilt':
    case 'history-fetched':
      return []
    case 'staff-changed':
      return ['staff', 'sessions']
    case 'back-office-changed':
      // The navigation shows the number of waiting changes, and any edit may have become a waiting change.
      return [...new Set([announcement.area, 'audit', 'changes', 'counts'])]
    case 'events-missed':
      return EVERYTHING_SEEN
  }
}
