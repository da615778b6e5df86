import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * Returns whether a user must be asked about a limit before a deposit: the user has not answered the question, set a
 * limit or deposited.
 */
export async function isUndecided(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_undecided: boolean }>`
    select not exists (select from limit_prompt where user_id = ${userId})
      and not exists (select from deposit where user_id = ${userId})
      and not exists (select from self_limit where user_id = ${userId} and key not in ('reality_check', 'withdrawal_lock'))
      as is_undecided`.execute(db)
  return rows[0]?.is_undecided === true
}

/**
 * Stores the answer of a user about a limit before the first deposit. A later answer does not replace the first one.
 */
export async function insertAnswer(
  tx: Tx,
  answer: { readonly userId: string; readonly answer: 'set' | 'none'; readonly at: Instant },
): Promise<void> {
  await tx
    .insertInto('limit_prompt')
    .values({ user_id: answer.userId, answer: answer.answer, at_ms: answer.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
