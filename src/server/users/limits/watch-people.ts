import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { closeSamePeople } from '#server/users/limits/close-same-person.ts'
import { listUsersToHash } from '#server/users/limits/excluded-person.queries.ts'
import { keepTraits } from '#server/users/limits/keep-traits.ts'

/** 10 minutes: if a crash interrupted the closing of an account, it stays open for at most this time. */
const PAUSE_MS = 10 * MINUTE_MS

/**
 * Hashes the traits of users who have no hash made with the newest key, and closes other accounts of excluded people.
 * The first run is 1 s after the start. Several servers may run this at the same time. Returns a function that stops
 * it.
 */
export function watchPeoplePeriodically(ctx: Ctx): () => Promise<void> {
  let pauseMs = SECOND_MS
  return runPeriodically(ctx, {
    pauseMs: () => pauseMs,
    run: async () => {
      pauseMs = PAUSE_MS
      await hashTraits(ctx)
      await closeSamePeople(ctx, null)
    },
    failure: 'other accounts of excluded people are not looked for',
  })
}

async function hashTraits(ctx: Ctx): Promise<void> {
  let after: string | undefined
  for (;;) {
    const users = await listUsersToHash(ctx.db, ctx.vault.keyName, after)
    for (const userId of users) {
      await ctx.db.transaction().execute((tx) => keepTraits(tx, ctx.vault, userId))
    }
    after = users.at(-1)
    if (after === undefined) return
  }
}
