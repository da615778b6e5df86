import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isReadableReason } from '#core/accounts/measures.ts'
import { ok, refuse } from '#core/result.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { findUser } from '#server/back-office/users/users.queries.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { loadLimitsReply } from '#server/users/limits/limits-reply.ts'
import { enterExclusion } from '#server/users/limits/take-break.ts'

/** Registers the calls for limits and breaks of users: read only, except for an exclusion that the user asked for. */
export function staffUserLimitsRoutes(
  register: RegisterStaff,
  { ctx, care }: { readonly ctx: Ctx; readonly care: () => SiteCare },
): void {
  register(staffCalls.staffUserLimits, async ({ params: { id } }) => {
    if ((await findUser(ctx.db, id)) === null) return refuse('not_found')
    return ok({ limits: await loadLimitsReply(ctx, id, care()) })
  })

  register(staffCalls.staffExclude, async ({ params: { id: userId }, body: { months, words }, actor }) => {
    if (!isReadableReason(words)) return refuse('words_needed')
    const entered = await enterExclusion(ctx, { userId, months, words, actor })
    if (entered.ok) return ok({ break: toBreakReply(await findBreak(ctx.db, userId)) })
    const { refusal } = entered
    return refuse(refusal === 'user_unknown' ? 'not_found' : refusal)
  })
}
