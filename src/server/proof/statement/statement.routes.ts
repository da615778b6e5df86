import { calls } from '#contract/calls.ts'
import type { StatementOut, StatementRowOut } from '#contract/statement.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { money, moneyNumber, percentNumber } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { periodInstants, type StatementPeriod } from '#core/statement/statement-period.ts'
import type { StatementRow } from '#core/statement/statement-row.ts'
import { toIso } from '#core/time/instant.ts'
import { zoneIso } from '#core/time/zone.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { answer } from '#server/platform/http/answer.ts'
import { type FileAnswer, pacedFile } from '#server/platform/http/paced-file.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { readerOf } from '#server/platform/http/signed-in.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { AT_ONCE_LIMITS, READ_LIMITS } from '#server/platform/limits/limits.ts'
import { createProveStatement, type ProvenStatement } from '#server/proof/statement/prove-statement.ts'
import {
  signedStatementPortions,
  statementCsvPortions,
  type StatementFileParts,
} from '#server/proof/statement/statement-files.ts'
import { numberRows, type Symbols } from '#server/proof/statement/statement-rows.ts'
import { rowsAt } from '#server/proof/statement/statement.queries.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

interface StatementRoutesParts {
  readonly ctx: Ctx
  readonly catalogue: Symbols
  readonly faults: Pick<FaultRegistry, 'set'>
  readonly signingKey: Pick<SigningKeyPair, 'signStatement'>
}

interface PeriodQuery {
  readonly from: number
  readonly to?: number | undefined
  readonly zone: string
}

/** The wait that a refusal names when the server is already sending another file to the user, or too many files. */
const FILE_WAIT_SECONDS = 10

/** Registers the statement as a page, as CSV and as a signed file. */
export function statementRoutes(
  register: Register,
  { ctx, catalogue, faults, signingKey }: StatementRoutesParts,
): void {
  const prove = createProveStatement(ctx, faults)
  const take = createRateLimiter(READ_LIMITS.statements)
  const readers = new Set<string>()

  register(calls.statement, async ({ user, query }) => {
    const { userId } = user
    const seconds = take(readerOf(user), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const period = periodInstants(toPeriod(query), ctx.now())
    if (!period.ok) return period
    const slice = sliceOf(query)
    const proven = await prove(userId, period.value, (tx, { range }) => rowsAt(tx, range, slice))
    if (!proven.ok) return proven
    const { statement, more } = proven.value
    const before = money(statement.sums.opening + more.before)
    const rows = numberRows(more.rows, { before, n: slice.offset + 1 }, catalogue)
    const { received, total } = statement.credits
    return answer(
      {
        statement: toReply(statement, query.zone),
        credits: { received: moneyNumber(received), total: moneyNumber(total) },
        rows: rows.map(toRowReply),
      },
      metaOf(query, statement.rows),
    )
  })

  register(calls.statementCsv, async ({ user, query }) =>
    sendFile(user.userId, query, { type: 'text/csv', ending: 'csv', portions: statementCsvPortions }),
  )
  register(calls.signedStatement, async ({ user, query }) =>
    sendFile(user.userId, query, {
      type: 'application/json',
      ending: 'json',
      portions: (parts) => signedStatementPortions({ ...parts, key: signingKey }),
    }),
  )

  /** Sends a file. Only one per user and a few per server are sent at a time. */
  async function sendFile(
    userId: string,
    query: PeriodQuery,
    file: {
      readonly type: string
      readonly ending: string
      readonly portions: (parts: StatementFileParts) => AsyncIterable<string>
    },
  ): Promise<FileAnswer | Refusal<'period_invalid' | 'books_differ' | 'statement_busy'>> {
    const period = periodInstants(toPeriod(query), ctx.now())
    if (!period.ok) return period
    if (readers.has(userId) || readers.size >= AT_ONCE_LIMITS.statement_files.max) {
      return refuse('statement_busy', { params: { seconds: FILE_WAIT_SECONDS } })
    }
    readers.add(userId)
    const proven = await prove(userId, period.value, () => Promise.resolve(null)).catch((error: unknown) => {
      readers.delete(userId)
      throw error
    })
    if (!proven.ok) {
      readers.delete(userId)
      return proven
    }
    const { statement } = proven.value
    const { zone } = query
    const content = pacedFile(ctx.clock, file.portions({ ctx, symbols: catalogue, statement, zone }))
    // The stream closes shortly after its end, and in between the reader may already ask for the next file. So `end`
    // frees the user too.
    for (const event of ['end', 'close']) content.once(event, () => readers.delete(userId))
    content.once('error', (error) => ctx.log.warn({ err: error }, 'the download of a statement was not completed'))
    const { from, to } = statement.range
    const days = [from, to].map((at) => zoneIso(zone, at).slice(0, 10))
    return { ok: true, file: { content, name: `statement-${days.join('-to-')}.${file.ending}`, type: file.type } }
  }
}

function toPeriod({ from, to, zone }: PeriodQuery): StatementPeriod {
  return { from, to: to ?? null, zone }
}

function toReply(
  { range, sums, rows, firstResult, lastResult, createdAt }: ProvenStatement,
  zone: string,
): StatementOut {
  return {
    from_ms: range.from,
    to_ms: range.to,
    zone,
    currency: BASE_CURRENCY,
    opening: moneyNumber(sums.opening),
    deposits: moneyNumber(sums.deposits),
    withdrawals: moneyNumber(sums.withdrawals),
    charges: moneyNumber(sums.charges),
    won: moneyNumber(sums.won),
    lost: moneyNumber(sums.lost),
    corrections: moneyNumber(sums.corrections),
    closing: moneyNumber(sums.closing),
    rows,
    first_result: firstResult,
    last_result: lastResult,
    made_at: toIso(createdAt),
  }
}

function toRowReply({ n, at, kind, reference, words, amount, balance, order }: StatementRow): StatementRowOut {
  const row = { n, at: toIso(at), kind, reference, words, amount: moneyNumber(amount), balance: moneyNumber(balance) }
  if (order === null) return row
  return {
    ...row,
    order: {
      result_number: order.resultNumber,
      symbol: order.symbol,
      high_low: order.direction,
      stake: moneyNumber(order.stake),
      payout_percent: percentNumber(order.payout),
      entry: order.entry,
      exit: order.exit,
      void_reason: order.voidReason,
    },
  }
}
