import type { MeasureKind } from '#core/accounts/measures.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The permissions of an account that follow from measures. Null lifts a measure. */
export interface Rights {
  /** The reason why trading is off. */
  readonly tradeOff?: string | null
  readonly maxStake?: bigint | null
  readonly maxOpenStake?: bigint | null
}

/** Begins and ends measures against a user, as the server's role, without the calls of the back office. */
export async function setRights(
  { newId, now }: Pick<Ctx, 'newId' | 'now'>,
  db: Db,
  userId: string,
  { tradeOff, maxStake, maxOpenStake }: Rights,
): Promise<void> {
  const wanted: readonly [MeasureKind, bigint | string | null | undefined][] = [
    ['trade_off', tradeOff],
    ['stake_limit', maxStake],
    ['open_limit', maxOpenStake],
  ]
  for (const [kind, set] of wanted) {
    if (set === undefined) continue
    await db
      .updateTable('user_measure')
      .set({ ended_ms: now() })
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('ended_ms', 'is', null)
      .execute()
    if (set === null) continue
    const since = now()
    const isLimit = typeof set === 'bigint'
    const terms = isLimit
      ? { value: set, reason: 'a limit', until_ms: later(since, 90 * DAY_MS) }
      : { value: null, reason: set, until_ms: null }
    await db
      .insertInto('user_measure')
      .values({ id: newId(), user_id: userId, kind, ...terms, since_ms: since, asked_by: null })
      .execute()
  }
}
