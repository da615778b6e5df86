import { CODE_PAUSE_MS } from '#core/accounts/one-time-code.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/** How often something may be attempted, counted in the database and so by all servers together. */
export interface AttemptLimit {
  /** The counted action, as worded in the documentation. */
  readonly what: string
  /** Which key has a separate counter, as worded in the documentation. */
  readonly by: string
  /** Attempts per window. The last one locks the key. */
  readonly max: number
  readonly windowMs: number
  readonly lockMs: number
  /** Whether a correct attempt clears the counter, is not counted itself, or is counted like any other. */
  readonly whenRight: 'cleared' | 'given back' | 'counted'
}

const QUARTER_HOUR = { windowMs: 15 * MINUTE_MS, lockMs: 15 * MINUTE_MS }
const HOUR = { windowMs: HOUR_MS, lockMs: HOUR_MS }
/** The default of `FAIRWICK_SMS_PER_DAY`. */
const SMS_PER_DAY = 5_000
/** The share of a day's text messages that may go to unverified numbers. */
export const UNPROVEN_SHARE = 0.75

/** Every limit on attempts. The documentation's table is generated from it. */
export const ATTEMPT_LIMITS = {
  log_in_name: {
    what: 'wrong passwords',
    by: 'username, from unknown devices',
    max: 10,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  log_in_device: {
    what: 'wrong passwords',
    by: 'username and known device',
    max: 10,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  log_in_network: {
    what: 'wrong passwords',
    by: 'network, from unknown devices',
    max: 100,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  log_in_total: {
    what: 'wrong passwords',
    by: 'installation, from unknown devices',
    max: 1_200,
    windowMs: MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'given back',
  },
  access_code_network: { what: 'wrong access codes', by: 'network', max: 20, ...HOUR, whenRight: 'given back' },
  sign_up_network: { what: 'accounts opened', by: 'network', max: 200, ...HOUR, whenRight: 'counted' },
  second_step_user: {
    what: 'wrong codes of the second step',
    by: 'user, from unknown devices',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  second_step_device: {
    what: 'wrong codes of the second step',
    by: 'user and known device or session',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  second_step_network: {
    what: 'wrong codes of the second step',
    by: 'network, from unknown devices',
    max: 30,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  second_step_setup: {
    what: 'wrong codes while an authenticator is set up',
    by: 'user',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  confirm_password: {
    what: 'wrong passwords in a confirmation',
    by: 'session',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  change_password: { what: 'wrong current passwords', by: 'session', max: 5, ...QUARTER_HOUR, whenRight: 'cleared' },
  passkey_task: {
    what: 'passkey challenges',
    by: 'user',
    max: 60,
    windowMs: 15 * MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'counted',
  },
  passkey_network: {
    what: 'passkey challenges and answers',
    by: 'network, from unknown devices',
    max: 120,
    windowMs: 15 * MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'counted',
  },
  passkey_device: {
    what: 'passkey challenges and answers',
    by: 'known device',
    max: 60,
    windowMs: 15 * MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'counted',
  },
  // The window of 7 days is longer than any pause that an attacker would make between two attempts.
  pin: {
    what: 'wrong PINs in a row',
    by: 'user',
    max: 5,
    windowMs: 7 * DAY_MS,
    lockMs: 15 * MINUTE_MS,
    whenRight: 'cleared',
  },
  rename: { what: 'new usernames asked for', by: 'user', max: 10, ...HOUR, whenRight: 'counted' },
  change_mobile: { what: 'new phone numbers', by: 'user', max: 10, ...HOUR, whenRight: 'counted' },
  picture: { what: 'profile pictures', by: 'user', max: 30, ...HOUR, whenRight: 'counted' },
  proof_of_payment: {
    what: 'deposit files',
    by: 'user',
    max: 30,
    windowMs: DAY_MS,
    lockMs: HOUR_MS,
    whenRight: 'counted',
  },
  ticket_message: {
    what: 'messages in tickets',
    by: 'user',
    max: 50,
    windowMs: DAY_MS,
    lockMs: HOUR_MS,
    whenRight: 'counted',
  },
  push_test: { what: 'messages that try a device', by: 'user', max: 10, ...HOUR, whenRight: 'counted' },
  verify_code: { what: 'wrong verification codes', by: 'user', max: 5, ...QUARTER_HOUR, whenRight: 'cleared' },
  leave_code: { what: 'wrong codes of a leave', by: 'user', max: 5, ...QUARTER_HOUR, whenRight: 'cleared' },
  verify_send_minute: {
    what: 'verification codes sent',
    by: 'user',
    max: 1,
    windowMs: CODE_PAUSE_MS,
    lockMs: CODE_PAUSE_MS,
    whenRight: 'counted',
  },
  verify_send_hour: { what: 'verification codes sent', by: 'user', max: 5, ...HOUR, whenRight: 'counted' },
  reset_request_network: {
    what: 'codes for a new password asked for',
    by: 'network',
    max: 60,
    ...HOUR,
    whenRight: 'counted',
  },
  reset_request_minute: {
    what: 'codes for a new password asked for',
    by: 'browser, or network and address typed',
    max: 1,
    windowMs: MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'counted',
  },
  reset_request_hour: {
    what: 'codes for a new password asked for',
    by: 'browser, or network and address typed',
    max: 5,
    ...HOUR,
    whenRight: 'counted',
  },
  reset_code_request: {
    what: 'wrong codes for a new password',
    by: 'request, from the browser that made it',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  reset_code_address: {
    what: 'wrong codes for a new password without the secret of a request',
    by: 'address typed',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  reset_code_account: {
    what: 'wrong codes for a new password with the secret of a request',
    by: 'network, or known device, and address typed',
    max: 30,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  reset_code_network: {
    what: 'wrong codes for a new password',
    by: 'network, or known device',
    max: 30,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  reset_code_total: {
    what: 'wrong codes for a new password without the secret of a request',
    by: 'installation',
    max: 600,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  message_recipient_minute: {
    what: 'messages with a code',
    by: 'recipient and cause',
    max: 2,
    windowMs: MINUTE_MS,
    lockMs: MINUTE_MS,
    whenRight: 'counted',
  },
  message_recipient_hour: {
    what: 'messages with a code',
    by: 'recipient and cause',
    max: 6,
    ...HOUR,
    whenRight: 'counted',
  },
  sms_prefix: {
    what: 'text messages',
    by: 'country code and first digits of the number, proven and unproven numbers apart',
    max: 120,
    ...HOUR,
    whenRight: 'counted',
  },
  sms_unproven: {
    what: 'text messages to unproven numbers, three quarters of all',
    by: 'installation',
    max: SMS_PER_DAY * UNPROVEN_SHARE,
    windowMs: DAY_MS,
    lockMs: DAY_MS,
    whenRight: 'counted',
  },
  sms_total: {
    what: 'text messages',
    by: 'installation',
    max: SMS_PER_DAY,
    windowMs: DAY_MS,
    // As long as the window: a shorter lock would allow another day's quota.
    lockMs: DAY_MS,
    whenRight: 'counted',
  },
  staff_name: {
    what: 'wrong staff passwords',
    by: 'name, from unknown devices',
    max: 10,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  staff_device: {
    what: 'wrong staff passwords',
    by: 'name and known device',
    max: 10,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  staff_network: {
    what: 'wrong staff passwords',
    by: 'network, from unknown devices',
    max: 30,
    ...QUARTER_HOUR,
    whenRight: 'given back',
  },
  staff_code: {
    what: 'wrong staff codes',
    by: 'staff member, from unknown devices',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
  staff_code_device: {
    what: 'wrong staff codes',
    by: 'staff member and known device',
    max: 5,
    ...QUARTER_HOUR,
    whenRight: 'cleared',
  },
} as const satisfies Record<string, AttemptLimit>

export type AttemptLimitName = keyof typeof ATTEMPT_LIMITS

/** How long a counter is needed: after its window and lock its row is deleted. */
export function counterLifetimeMs({ windowMs, lockMs }: AttemptLimit): number {
  return windowMs + lockMs + SECOND_MS
}
