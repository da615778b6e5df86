import { calls } from '#contract/calls.ts'
import type { MeasureOut, ProofMeasures } from '#contract/measures.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countMeasures } from '#server/proof/measures/count-measures.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'
import { listMeasures, type Measure } from '#server/users/measures/measures.queries.ts'

interface Parts {
  readonly ctx: Ctx
  readonly key: Pick<SigningKeyPair, 'signMeasures'>
}

/** Registers the calls on measures against users: the own ones, signed, and the public counts. */
export function measuresRoutes(register: Register, { ctx, key }: Parts): void {
  register(calls.userMeasures, async ({ user }) => {
    const measures = await listMeasures(ctx.db, user.userId)
    const statement = await key.signMeasures({
      v: 1,
      user: user.userId,
      made_ms: ctx.now(),
      measures: measures.map(({ kind, value, reason, since, until, endedAt }) => ({
        kind,
        value: value === null ? null : Number(value),
        reason,
        since_ms: since,
        until_ms: until,
        ended_ms: endedAt,
      })),
    })
    return answer({ measures: measures.map(toReply), statement })
  })

  let last: { readonly at: Instant; readonly figures: ProofMeasures } | null = null
  register(calls.proofMeasures, async () => {
    const now = ctx.now()
    // Counted at most once a minute, for any number of calls.
    if (last === null || now >= last.at + MINUTE_MS) last = { at: now, figures: await countMeasures(ctx.db, now) }
    return answer(last.figures)
  })
}

function toReply({ kind, value, reason, since, until, endedAt }: Measure): MeasureOut {
  return {
    kind,
    value: value === null ? null : moneyNumber(value),
    reason,
    since: toIso(since),
    until: until && toIso(until),
    ended: endedAt && toIso(endedAt),
  }
}
