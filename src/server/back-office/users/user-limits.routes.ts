import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isReadableReason } from '#core/accounts/measures.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { findUser } from '#server/back-office/users/users.queries.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { openRecord } from '#server/site/erasing/kept-record.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { loadLimitsReply } from '#server/users/limits/limits-reply.ts'
import { enterExclusion } from '#server/users/limits/take-break.ts'

/**
 * Registers the calls for limits and breaks of users, and the call that shows the record kept of an erased account.
 * Staff change none of these limits, but can enter an exclusion that the user asked for.
 */
export function staffUserLimitsRoutes(
  register: RegisterStaff,
  { ctx, care, records }: { readonly ctx: Ctx; readonly care: () => SiteCare; readonly records: Vault },
): void {
  register(staffCalls.staffUserLimits, async ({ params: { id } }) => {
    if ((await findUser(ctx.db, id)) === null) return refuse('not_found')
    return ok({ limits: await loadLimitsReply(ctx, id, care()) })
  })

  register(staffCalls.staffOpenRecord, async ({ params: { id: userId }, body: { reason }, actor }) => {
    if (!isReadableReason(reason)) return refuse('reason_needed', { field: 'reason' })
    const opened = await openRecord({ ctx, records }, { userId, reason, actor })
    return opened.ok ? ok({ text: opened.value.text, until: toIso(opened.value.until) }) : opened
  })

  register(staffCalls.staffExclude, async ({ params: { id: userId }, body: { months, words }, actor }) => {
    if (!isReadableReason(words)) return refuse('words_needed')
    const entered = await enterExclusion(ctx, { userId, months, words, actor })
    if (entered.ok) return ok({ break: toBreakReply(await findBreak(ctx.db, userId)) })
    const { refusal } = entered
    return refuse(refusal === 'user_unknown' ? 'not_found' : refusal)
  })
}
