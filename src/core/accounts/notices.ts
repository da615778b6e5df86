/** Groups of notices. A user chooses for a group whether its notices are also mailed. */
export const NOTICE_TOPICS = [
  'deposits',
  'withdrawals',
  'orders',
  'results',
  'limits',
  'alerts',
  'payouts',
  'account',
] as const
type NoticeTopic = (typeof NOTICE_TOPICS)[number]

/** Topics whose mail the user can turn off. The others protect money and account, and are always mailed. */
export const CHOSEN_TOPICS = [
  'deposits',
  'orders',
  'results',
  'limits',
  'alerts',
  'payouts',
] as const satisfies readonly NoticeTopic[]
export type ChosenTopic = (typeof CHOSEN_TOPICS)[number]

/**
 * Every kind of notice, with its topic. The database accepts no other kind. No kind is for advertising, and no kind has
 * a text that staff write freely.
 */
export const NOTICE_KINDS = {
  deposit_credited: 'deposits',
  deposit_rejected: 'deposits',
  withdrawal_asked: 'withdrawals',
  withdrawal_approved: 'withdrawals',
  withdrawal_paying: 'withdrawals',
  withdrawal_paid: 'withdrawals',
  withdrawal_failed: 'withdrawals',
  withdrawal_returned: 'withdrawals',
  withdrawal_rejected: 'withdrawals',
  withdrawal_cancelled: 'withdrawals',
  withdrawal_late: 'withdrawals',
  order_void: 'orders',
  orders_ended: 'results',
  limit_changed: 'limits',
  limit_waits: 'limits',
  limit_reached: 'limits',
  review_due: 'limits',
  break_begun: 'limits',
  break_over: 'limits',
  price_alert: 'alerts',
  payout_change: 'payouts',
  sign_in: 'account',
  security_changed: 'account',
  correction_announced: 'account',
  correction_posted: 'account',
  correction_withdrawn: 'account',
  measure_set: 'account',
  measure_ended: 'account',
  made_good: 'account',
  terms_announced: 'account',
  data_ready: 'account',
  key_made: 'account',
  key_used: 'account',
  key_ends: 'account',
  key_ended: 'account',
  closing_begun: 'account',
  leave_closed: 'account',
  recovery_begun: 'account',
  recovery_stopped: 'account',
  recovery_done: 'account',
  ticket_answered: 'account',
  ticket_closed: 'account',
} as const satisfies Record<string, NoticeTopic>
export type NoticeKind = keyof typeof NOTICE_KINDS

/**
 * Groups of notices that a user can receive as push messages: the topics above and `security`, for log-ins and security
 * changes. Only `security` is on from the start.
 */
export const PUSH_TOPICS = [...NOTICE_TOPICS, 'security'] as const
export type PushTopic = (typeof PUSH_TOPICS)[number]

/** The topic of a notice as a push message. The database applies the same rule. */
export function pushTopic(kind: NoticeKind): PushTopic {
  const isOfSecurity = kind === 'sign_in' || kind === 'security_changed' || kind.startsWith('recovery_')
  return isOfSecurity ? 'security' : NOTICE_KINDS[kind]
}

/** The changes of an account's security that its user gets a notice about. */
export const SECURITY_CHANGES = [
  'password',
  'authenticator_on',
  'authenticator_off',
  'passkey_added',
  'passkey_removed',
  'recovery_used',
  'recovery_renewed',
  'username',
  'mobile',
  'pin',
  'pin_set',
  'payment_details',
  'payment_details_set',
] as const
export type SecurityChange = (typeof SECURITY_CHANGES)[number]

/** Whether a name is a topic whose mail can be chosen. */
export function isChosenTopic(topic: NoticeTopic): topic is ChosenTopic {
  return CHOSEN_TOPICS.some((one) => one === topic)
}

/** The path of the screen that a notice leads to. `trx` is the reference of its order, if it has one. */
export function noticePath(kind: NoticeKind, trx: string | undefined): string {
  if (kind === 'order_void' || kind === 'made_good') return `/check/${trx ?? ''}`
  if (kind === 'review_due') return '/account/figures'
  if (kind === 'terms_announced') return '/terms'
  if (kind === 'data_ready') return '/account/data'
  if (kind.startsWith('key')) return '/account/keys'
  if (kind === 'closing_begun') return '/account/close'
  if (kind.startsWith('ticket')) return `/tickets/${trx ?? ''}`
  if (kind.startsWith('correction')) return '/history/transaction'
  switch (NOTICE_KINDS[kind]) {
    case 'deposits':
      return '/history/deposit'
    case 'withdrawals':
      return '/history/withdrawal'
    case 'results':
      return '/account/history'
    case 'limits':
      return '/account/limits'
    case 'alerts':
      return '/alerts'
    case 'payouts':
      return '/changes'
    default:
      return '/account/security'
  }
}
