import { SOLD, VOID } from '#core/orders/order.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareHalfEven, money } from '#core/money/money.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { later } from '#core/time/instant.ts'
import { type ExpectedOrder, FaultAuditor } from './fault-auditor.ts'
import {
  CASH,
  type CaseRun,
  type FaultCase,
  type FaultRun,
  ORDER_SECONDS,
  type PlacedOrder,
  runFaults,
  STAKE,
} from './fault-run.ts'
import { END } from './fault-script.ts'
import { faultTable } from './fault-table.ts'
import { ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const FAULTS = ['none', 'dies', 'freezes', 'lags', 'lies', 'lies once', 'flaps', 'drops out'] as const
const CASES: FaultCase[] = [
  ...FAULTS.flatMap((fault) => [{ fault, sources: 1 } as const, { fault, sources: 2 } as const]),
  { fault: 'second lies', sources: 2 },
]

const database = useTestDatabase({ emptied: 'once' })
let run: FaultRun
beforeAll(async () => {
  run = await runFaults(database, CASES)
})

const auditors = new Map(CASES.map((one) => [one, new FaultAuditor(one.fault, one.sources)]))

function found({ symbol, fault, sources }: FaultCase & Partial<CaseRun>): { one: CaseRun; auditor: FaultAuditor } {
  const place = CASES.findIndex((other) => other.fault === fault && other.sources === sources)
  const [one, wanted] = [run.cases[place], CASES[place]]
  const auditor = wanted && auditors.get(wanted)
  if (one === undefined || auditor === undefined) throw new Error(`no such case: ${fault} ${symbol?.code}`)
  return { one, auditor }
}

/** Converts the outcome of an order to the auditor's form. */
function outcomeOf({ answer, settled }: PlacedOrder): ExpectedOrder | { kind: string } {
  if (!answer.ok) return answer.refusal === 'price_stale' ? { kind: 'refused' } : { kind: answer.refusal }
  if (settled === null) return { kind: 'never settled' }
  const entry = answer.value.entryPrice
  const { result: outcome } = settled
  if (outcome === VOID) return { kind: 'void', entry, reason: settled.voidReason ?? '' }
  if (outcome === SOLD) return { kind: 'sold' }
  return { kind: 'settled', entry, exit: settled.exitPrice ?? 0, outcome }
}

describe.each(CASES)('the feed when the source has the fault "$fault", with this many sources: $sources', (wanted) => {
  it('passes on exactly the prices that the rules require, at the required moments', async () => {
    const { one, auditor } = found(wanted)
    const logged = await loggedTicks(run.ctx.db, TEST_START, later(TEST_START, END), one.symbol.id)
    expect(logged.map(({ source, time, price }) => [source, time - TEST_START, price])).toEqual(
      auditor.ticks.map(({ source, time, units }) => [source === 0 ? 'first' : 'second', time, units]),
    )
    expect(one.ticks.map(({ at }) => at)).toEqual(auditor.ticks.map(({ at }) => at))
  })

  it('the engine refuses, voids and settles exactly the expected orders at the expected prices', () => {
    const { one, auditor } = found(wanted)
    const expected = one.orders.map(({ at, isBuy }) => auditor.order(at, ORDER_SECONDS * 1_000, isBuy))
    expect(one.orders.map(outcomeOf)).toEqual(expected)
  })

  it('the balance of the user has exactly the expected profits and losses', async () => {
    const { one, auditor } = found(wanted)
    let cash = CASH
    for (const { at, isBuy } of one.orders) {
      const order = auditor.order(at, ORDER_SECONDS * 1_000, isBuy)
      if (order.kind !== 'settled') continue
      if (order.outcome === 1) cash += shareHalfEven(money(STAKE), ONE_MINUTE.payout)
      if (order.outcome === 2) cash -= STAKE
    }
    const balance = await run.ctx.db.selectFrom('balance').selectAll().where('user_id', '=', one.userId).execute()
    expect(balance).toMatchObject([{ cash, staked: 0n, open_orders: 0 }])
  })
})

it('the ledger still reconciles after all faults', async () => {
  expect(await checkLedger(run.ctx.db)).toMatchObject({ clean: true, mismatches: [] })
})

it('the feed switches to the second source within two seconds of the last message of the first source', () => {
  for (const { fault, sources, ticks } of run.cases) {
    const second = ticks.find(({ tick }) => tick.source === 'second')
    if (second === undefined) continue
    const { auditor } = found({ fault, sources })
    expect(second.at - auditor.lastWordBefore).toBeLessThanOrEqual(2_000)
  }
})

it('the counts of all fault runs equal the published table', async () => {
  const rows = run.cases.map((one) => {
    const kinds = one.orders.map((order) => outcomeOf(order).kind)
    const count = (kind: string) => kinds.filter((other) => other === kind).length
    const second = one.ticks.find(({ tick }) => tick.source === 'second')
    return {
      ...one,
      orders: kinds.length,
      refused: count('refused'),
      voided: count('void'),
      settled: count('settled'),
      switchedAfterMs: second === undefined ? null : second.at - found(one).auditor.lastWordBefore,
    }
  })
  await expect(faultTable(rows)).toMatchFileSnapshot('../../docs/generated/feed-faults.md')
})
