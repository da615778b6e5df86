import { type Money, money } from '#core/money/money.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { type PeriodInstants } from '#core/statement/statement-period.ts'
import { proveSums, type StatementFlows, type StatementSums } from '#core/statement/statement-sums.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { countFlows, countRows, findRange, type RowRange } from '#server/proof/statement/statement.queries.ts'

/** A statement whose sums equal the sums of the ledger. */
export interface ProvenStatement {
  readonly range: RowRange
  readonly sums: StatementSums
  readonly rows: number
  readonly firstResult: number | null
  readonly lastResult: number | null
  readonly credits: { readonly received: Money; readonly total: Money }
  readonly createdAt: Instant
}

/** Proves the statement of a period, and reads more of the same snapshot with `read`. */
export type ProveStatement = <T>(
  userId: string,
  period: PeriodInstants,
  read: (tx: Tx, statement: ProvenStatement) => Promise<T>,
) => Promise<Result<{ readonly statement: ProvenStatement; readonly more: T }, 'books_differ'>>

/**
 * Creates the function that proves statements. A difference is reported as a fault of the server until the same
 * statement adds up again.
 */
export function createProveStatement(ctx: Ctx, faults: Pick<FaultRegistry, 'set'>): ProveStatement {
  const differing = new Set<string>()
  const noteDifference = (userId: string): void => {
    if (!differing.has(userId)) ctx.log.error({ userId }, 'the statement of a user does not add up')
    differing.add(userId)
    faults.set('books_differ', {})
  }
  const noteAgreement = (userId: string): void => {
    if (differing.delete(userId) && differing.size === 0) faults.set('books_differ', null)
  }
  return async (userId, period, read) => {
    const now = ctx.now()
    const found = await ctx.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        const { range, balance, credits } = await findRange(tx, userId, period, now)
        const flows = await countFlows(tx, range)
        const { count, sum, firstResult, lastResult } = await countRows(tx, range)
        const sums = proveSums(flows, { balance, rows: sum })
        if (sums === null) return null
        const statement: ProvenStatement = {
          range,
          sums,
          firstResult,
          lastResult,
          rows: count,
          credits: { received: receivedCredits(flows), total: credits },
          createdAt: now,
        }
        return { statement, more: await read(tx, statement) }
      })
    if (found === null) {
      noteDifference(userId)
      return refuse('books_differ')
    }
    noteAgreement(userId)
    return ok(found)
  }
}

function receivedCredits({ within }: StatementFlows): Money {
  return money(within.reduce((sum, { to, amount }) => (to === 'credits' ? sum + amount : sum), 0n))
}
