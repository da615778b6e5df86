import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import { countChangesSince } from '#server/audit/changes/changes.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { countMarks, listActs } from '#server/site/people/people.queries.ts'

const COUNTED_MS = 90 * DAY_MS

/**
 * Registers the public calls that show how many staff members decide on this site, and what they changed. The calls
 * need no account, and their replies contain no names.
 */
export function peopleRoutes(register: Register, ctx: Ctx): void {
  const take = createRateLimiter(READ_LIMITS.people)

  register(calls.proofPeople, async ({ from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const since = later(ctx.now(), -COUNTED_MS)
    const approvers = [...(await readApprovers(ctx, ctx.db)).byId.values()]
    const marks = await countMarks(ctx.db, since)
    return answer({
      approvers: approvers.length,
      admitted_by_two: approvers.filter(({ approverBy }) => approverBy.length === 2).length,
      admitted_by_one: approvers.filter(({ approverBy }) => approverBy.length === 1).length,
      single_operator: isSingleOperator(approvers.length),
      changes: Object.fromEntries(await countChangesSince(ctx.db, since)),
      same_place: marks.samePlace,
      one_admitted_the_other: marks.admitted,
      one_operator: marks.oneOperator,
    })
  })

  register(calls.proofActs, async ({ query: { before, limit }, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    // One more entry than shown tells whether there is a next page.
    const found = await listActs(ctx.db, before ?? null, limit + 1)
    const acts = found.slice(0, limit)
    return answer({ acts, next: found.length > limit ? (acts.at(-1)?.index ?? null) : null })
  })
}
