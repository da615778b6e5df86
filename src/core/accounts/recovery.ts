import { DAY_MS, MINUTE_MS } from '#core/time/instant.ts'

/** Things that a user can lose. `contact`: the verified email address and phone number. */
export const LOST = ['second_step', 'contact', 'pin'] as const
export type Lost = (typeof LOST)[number]

export const RECOVERY_STATES = ['asked', 'waiting', 'done', 'stopped'] as const
export type RecoveryState = (typeof RECOVERY_STATES)[number]

/** 72 hours: how long any contact of the user can stop a confirmed recovery. A demo waits a minute (`waitMs`). */
export const RECOVERY_WAIT_HOURS = 72
/** 30 minutes: how long the recovery link works. With this link, the user sets new access data. */
export const RECOVERY_LINK_MS = 30 * MINUTE_MS
/**
 * 14 days: a link can be sent for this long after the end of the 72 hours. After that, the user needs a new request.
 */
export const RECOVERY_LINK_OFFER_MS = 14 * DAY_MS
/** 7 days: how long withdrawals are paused after a recovery. */
export const RECOVERY_PAUSE_MS = 7 * DAY_MS

export function isLost(text: string): text is Lost {
  return LOST.some((one) => one === text)
}

export function isRecoveryState(text: string): text is RecoveryState {
  return RECOVERY_STATES.some((one) => one === text)
}
