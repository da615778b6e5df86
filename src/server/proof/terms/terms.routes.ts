import { calls } from '#contract/calls.ts'
import { readTermsText } from '#core/markets/terms/terms-entry.ts'
import { refuse } from '#core/result.ts'
import { listTermsTexts, termsHash } from '#server/market-data/catalogue/terms.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'

/** `GET /api/proof/terms`: lists all announced trade terms. Needs no account. */
export function termsRoutes(register: Register, ctx: Ctx): void {
  const take = createRateLimiter(READ_LIMITS.terms)

  register(calls.proofTerms, async ({ query: { before, limit }, from }) => {
    const seconds = take(subnetOf(from.address), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    // One more entry than shown tells whether there is a next page.
    const found = await listTermsTexts(ctx.db, before ?? null, limit + 1)
    const entries = found.slice(0, limit).map((text) => ({ text, hash: termsHash(text) }))
    const last = found[limit - 1]
    const next = found.length > limit && last !== undefined ? (readTermsText(last)?.n ?? null) : null
    return answer({ entries, next }, { tag: entries[0]?.hash ?? 'none' })
  })
}
