import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok } from '#core/result.ts'
import { isAllowed } from '#core/staff/permissions.ts'
import { countAlertsOf } from '#server/back-office/alerts/alerts.routes.ts'
import { countAskedChanges } from '#server/audit/changes/changes.queries.ts'
import { countWaiting } from '#server/back-office/api/queue-figures.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { countWaitingAdjustments } from '#server/payments/adjustments/adjustments.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { countOpenTickets } from '#server/back-office/tickets/tickets.queries.ts'
import { countRecoveries } from '#server/users/recovery/recovery.queries.ts'

/**
 * Registers the call for the numbers in the navigation. Each staff member sees only the queues that the role permits.
 */
export function countsRoutes(register: RegisterStaff, { ctx }: { readonly ctx: Ctx }): void {
  register(staffCalls.staffCounts, async ({ staff: { role, staffId } }) =>
    ok({
      deposits: isAllowed(role, 'deposits.see') ? await countWaiting(ctx.db, 'deposit') : null,
      withdrawals: isAllowed(role, 'withdrawals.see') ? await countWaiting(ctx.db, 'withdrawal') : null,
      corrections: isAllowed(role, 'corrections.see') ? await countWaitingAdjustments(ctx.db) : null,
      recoveries: isAllowed(role, 'recovery.see') ? await countRecoveries(ctx.db, ctx.now()) : null,
      tickets: isAllowed(role, 'tickets.see') ? await countOpenTickets(ctx.db, { role, staffId }) : null,
      changes: await countAskedChanges(ctx.db),
      alerts: await countAlertsOf(ctx.db, role),
    }),
  )
}
