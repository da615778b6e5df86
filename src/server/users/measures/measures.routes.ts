import { calls } from '#contract/calls.ts'
import type { MeasureOut } from '#contract/measures.ts'
import { moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { listMeasures, type Measure } from '#server/users/accounts/measures.queries.ts'

interface Parts {
  readonly ctx: Ctx
  /** Signs a statement with the key that signs receipts. */
  readonly sign: (statement: object) => Promise<string>
}

/** Registers the call for the measures against the caller's own account. */
export function userMeasuresRoutes(register: Register, { ctx, sign }: Parts): void {
  register(calls.userMeasures, async ({ user: { userId } }) => {
    const measures = await listMeasures(ctx.db, userId)
    const statement = { v: 1, user: userId, made_ms: ctx.now(), measures: measures.map(toSigned) }
    return answer({ measures: measures.map(toReply), statement: await sign(statement) })
  })
}

function toSigned({ kind, value, reason, since, until, finishedAt }: Measure) {
  const cents = value === null ? null : Number(value)
  return { kind, value: cents, reason, since_ms: since, until_ms: until, ended_ms: finishedAt }
}

function toReply({ kind, value, reason, since, until, finishedAt }: Measure): MeasureOut {
  return {
    kind,
    value: value === null ? null : moneyNumber(value),
    reason,
    since: toIso(since),
    until: until && toIso(until),
    ended: finishedAt && toIso(finishedAt),
  }
}
