/**
 * Every refusal: its status on the wire and the field it belongs to. The text is `refusal.<code>` in the messages.
 * A 401 or 403 logs clients out, so whatever should not do that is a 422.
 */
export const REFUSALS = {
  bad_request: { status: 422 },
  not_found: { status: 404 },
  not_signed_in: { status: 401 },
  not_verified: { status: 422 },
  foreign_origin: { status: 403 },
  too_many_attempts: { status: 429 },
  rate_limited: { status: 429 },

  username_taken: { status: 422, field: 'username' },
  username_invalid: { status: 422, field: 'username' },
  mobile_invalid: { status: 422, field: 'mobile' },
  email_invalid: { status: 422, field: 'email' },
  country_unknown: { status: 422, field: 'country_code' },
  country_not_allowed: { status: 422, field: 'country_code' },
  current_password_wrong: { status: 422, field: 'current_password' },
  text_too_long: { status: 422 },
  text_invalid: { status: 422 },
  password_mismatch: { status: 422, field: 'password_confirmation' },
  password_length: { status: 422, field: 'password' },
  terms_required: { status: 422, field: 'agree' },
  invitation_required: { status: 422, field: 'invitation_code' },
  invitation_wrong: { status: 422, field: 'invitation_code' },
  credentials_wrong: { status: 422 },
  code_wrong: { status: 422, field: 'code' },
  already_verified: { status: 422 },

  symbol_unknown: { status: 422, field: 'symbol' },
  trade_off: { status: 422 },
  trading_paused: { status: 422 },
  market_closed: { status: 422 },
  symbol_closed: { status: 422 },
  expiry_after_close: { status: 422, field: 'tradeSettingId' },
  setting_unknown: { status: 422, field: 'tradeSettingId' },
  price_stale: { status: 422 },
  price_moved: { status: 422, field: 'strikePrice' },
  payout_changed: { status: 422, field: 'profitPercentage' },
  amount_invalid: { status: 422, field: 'amount' },
  below_minimum: { status: 422, field: 'amount' },
  above_maximum: { status: 422, field: 'amount' },
  insufficient_balance: { status: 422, field: 'amount' },
  too_many_open_orders: { status: 422 },
  order_conflict: { status: 409, field: 'clientOrderId' },
  busy: { status: 503 },
  restarting: { status: 503 },

  tick_day_open: { status: 422, field: 'day' },
  tick_day_empty: { status: 404, field: 'day' },
  tick_day_dropped: { status: 410, field: 'day' },

  receipt_unknown: { status: 404 },
  receipt_not_yet: { status: 422 },
  evidence_gone: { status: 410 },
  evidence_large: { status: 413 },

  deposits_closed: { status: 422 },
  rate_unavailable: { status: 422, field: 'method_id' },
  deposit_conflict: { status: 409, field: 'client_request_id' },
  gateway_unknown: { status: 422, field: 'method_id' },
  field_required: { status: 422 },

  file_too_large: { status: 422 },
  file_type: { status: 422 },
  file_unreadable: { status: 422 },
  picture_too_large: { status: 422 },
  field_invalid: { status: 422 },

  proof_unknown: { status: 404 },

  withdrawals_closed: { status: 422 },
  withdrawal_conflict: { status: 409, field: 'client_request_id' },
  withdrawal_decided: { status: 422 },
  pin_missing: { status: 422, field: 'withdrawal_code' },
  pin_wrong: { status: 422, field: 'withdrawal_code' },
  pin_locked: { status: 429, field: 'withdrawal_code' },
  pin_format: { status: 422, field: 'withdrawal_code' },
  pin_mismatch: { status: 422, field: 'withdrawal_code_confirmation' },
} as const satisfies Record<string, { status: number; field?: string }>

export type RefusalCode = keyof typeof REFUSALS
