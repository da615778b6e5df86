import { DAY_MS, HOUR_MS, later } from '#core/time/instant.ts'
import { deleteOldPriceAlerts } from '#server/price-alerts/alerts.queries.ts'
import { deleteExpiredSessions } from '#server/users/sessions/sessions.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { deleteOldSignIns } from '#server/users/sessions/devices.queries.ts'
import { dropClockMinutes } from '#server/market-data/clock/clock.queries.ts'
import { expireDeposits } from '#server/payments/deposits/own-deposit.ts'
import type { Uploads } from '#server/platform/uploads/uploads.ts'
import { deleteOldStaffDevices, STAFF_DEVICE_MS } from '#server/back-office/staff-sessions/staff-devices.queries.ts'
import { deleteOverStaffSessions } from '#server/back-office/staff-sessions/staff-sessions.queries.ts'
import { deleteOldAttempts } from '#server/platform/limits/attempt-limits.ts'
import { deleteOldMessages } from '#server/platform/messenger/outbox.queries.ts'
import { dropOldAnswers } from '#server/audit/staff-requests.ts'
import { deleteExpiredCodes } from '#server/users/accounts/one-time-codes.queries.ts'
import { deleteExpiredResets } from '#server/users/password-reset/password-reset.queries.ts'
import { deleteOldStaffAlerts } from '#server/back-office/alerts/alerts.queries.ts'
import { dropOldNotices, tellReviews } from '#server/users/notices/notices.queries.ts'
import { deleteSilentDevices } from '#server/users/push/push-subscriptions.queries.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

const OUTBOX_RETENTION_MS = 7 * DAY_MS

/** 90 days. Records of log-ins are deleted after this time. */
const LOG_IN_RETENTION_MS = 90 * DAY_MS
const DEVICES_KNOWN_MS = 180 * DAY_MS
/** 180 days. Price alerts that are no longer active are deleted after this time. */
const ALERT_RETENTION_MS = 180 * DAY_MS
/** 90 days. Push subscriptions of devices that neither opened the app nor took a message in this time are deleted. */
const SILENT_DEVICE_MS = 90 * DAY_MS

/**
 * Deletes expired rows once an hour, to free space, and ends deposits for which nothing arrived. Correctness does not
 * depend on it. Returns a function that stops it.
 */
export function startHousekeeping(ctx: Ctx, uploads: Pick<Uploads, 'sweep'>): () => Promise<void> {
  const run = async (): Promise<void> => {
    await deleteExpired(ctx)
    await expireDeposits(ctx)
    await uploads.sweep()
  }
  return runPeriodically(ctx, { pauseMs: () => HOUR_MS, run, failure: 'housekeeping failed' })
}

export async function deleteExpired(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  await deleteExpiredSessions(ctx.db, now)
  await deleteOverStaffSessions(ctx.db, now)
  await deleteOldStaffDevices(ctx.db, later(now, -STAFF_DEVICE_MS))
  await deleteOldSignIns(ctx.db, {
    linesBefore: later(now, -LOG_IN_RETENTION_MS),
    devicesBefore: later(now, -DEVICES_KNOWN_MS),
    now,
  })
  await dropOldAnswers(ctx, ctx.db)
  await deleteExpiredCodes(ctx.db, now)
  await deleteExpiredResets(ctx.db, now)
  await deleteOldAttempts(ctx)
  await dropClockMinutes(ctx.db)
  await dropOldNotices(ctx.db)
  await deleteSilentDevices(ctx.db, later(now, -SILENT_DEVICE_MS))
  await tellReviews(ctx.db, ctx.now())
  await deleteOldPriceAlerts(ctx.db, later(now, -ALERT_RETENTION_MS))
  await deleteOldStaffAlerts(ctx.db, now)
  await deleteOldMessages(ctx.db, later(now, -OUTBOX_RETENTION_MS))
}
