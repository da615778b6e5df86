import type { Fairness, FairnessGroup } from '#contract/fairness.ts'

type Value = string | number | null
/** The columns of a line: days, who, symbol, seconds, payout, figure, value. */
type Line = readonly [Value, Value, Value, Value, Value, string, Value]

/** Formats the figures as CSV with one value per line, so that programs can select lines. Withheld values are empty. */
export function fairnessCsv(figures: Fairness): string {
  const lines: Line[] = [
    [null, null, null, null, null, 'computed_at', figures.computed_at],
    [null, null, null, null, null, 'until', figures.until],
    [null, null, null, null, null, 'least_users', figures.least_users],
    ...figures.expiries.map(
      (expiry): Line => [null, null, null, expiry.seconds, expiry.payout, 'break_even', expiry.break_even],
    ),
    [null, 'people', null, null, null, 'pending_withdrawals', figures.pending_withdrawals.count],
    [null, 'people', null, null, null, 'oldest_pending_ms', figures.pending_withdrawals.oldest_ms],
    [null, 'people', null, null, null, 'late_withdrawals', figures.pending_withdrawals.late],
    ...figures.windows.flatMap(({ days, since, groups, sales, withdrawals }): Line[] => [
      [days, null, null, null, null, 'since', since],
      [days, 'people', null, null, null, 'withdrawals_decided', withdrawals?.decided ?? null],
      [days, 'people', null, null, null, 'withdrawal_median_ms', withdrawals?.median_ms ?? null],
      [days, 'people', null, null, null, 'withdrawal_p95_ms', withdrawals?.p95_ms ?? null],
      ...sales.flatMap((line) =>
        (['orders', 'paid', 'fee', 'at_expiry'] as const).map(
          (figure): Line => [days, 'people', line.symbol, line.seconds, null, `sold_${figure}`, line[figure]],
        ),
      ),
      ...groups.flatMap((group) => groupLines(days, group)),
    ]),
  ]
  const head = 'days,who,symbol,seconds,payout,figure,value'
  return `${[head, ...lines.map((line) => line.map((value) => value ?? '').join(','))].join('\n')}\n`
}

function groupLines(days: number, group: FairnessGroup): Line[] {
  const { who, orders } = group
  return [
    [days, who, null, null, null, 'users', group.users],
    [days, who, null, null, null, 'losing_users', group.losing_users],
    [days, who, null, null, null, 'losing_share', group.losing_share],
    [days, who, null, null, null, 'ahead_users', group.ahead_users],
    ...orders.flatMap((line) =>
      (['break_even', 'wins', 'losses', 'draws', 'voids'] as const).map(
        (figure): Line => [days, who, line.symbol ?? 'others', line.seconds, line.payout, figure, line[figure]],
      ),
    ),
    ...timesLines(days, group, 'acceptance'),
    [days, who, null, null, null, 'acceptance_not_timed', group.not_timed],
    ...timesLines(days, group, 'lateness'),
  ]
}

function timesLines(days: number, group: FairnessGroup, name: 'acceptance' | 'lateness'): Line[] {
  const { who, [name]: times } = group
  return [
    ...(['count', 'median_ms', 'p95_ms', 'p99_ms'] as const).map(
      (figure): Line => [days, who, null, null, null, `${name}_${figure}`, times?.[figure] ?? null],
    ),
    ...(times?.histogram ?? []).map(
      ({ up_to_ms, count }): Line => [days, who, null, null, null, `${name}_up_to_${up_to_ms ?? 'any'}_ms`, count],
    ),
  ]
}
