import { type Fairness, FairnessOut } from '#contract/fairness.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * Returns the last computed figures. Null when there are none, or when a version of the program with other figures
 * computed them.
 */
export async function readFairness(db: Db): Promise<Fairness | null> {
  const row = await db.selectFrom('fairness_figures').select('figures').executeTakeFirst()
  return FairnessOut.safeParse(row?.figures).data ?? null
}

/** Stores the figures. When two servers computed figures, the newer figures stay. */
export async function storeFairness(db: Db, figures: Fairness, computedAt: Instant): Promise<void> {
  const values = { computed_ms: computedAt, figures: JSON.stringify(figures) }
  await db
    .insertInto('fairness_figures')
    .values({ id: 1, ...values })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(values).where('fairness_figures.computed_ms', '<', BigInt(computedAt)),
    )
    .execute()
}
