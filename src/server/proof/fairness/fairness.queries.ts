import { type Fairness, FairnessOut } from '#contract/fairness.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** As they were last computed, or null; also when that was by another version, which counted other figures. */
export async function readFairness(db: Db): Promise<Fairness | null> {
  const row = await db.selectFrom('fairness_figures').select('figures').executeTakeFirst()
  return FairnessOut.safeParse(row?.figures).data ?? null
}

/** The newest stay when two servers computed them at once. */
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
