/** The size of a large installation. */
export interface LargeDataSize {
  readonly users: number
  /** Number of settled orders. The data also contain one open order per 500 settled orders. */
  readonly orders: number
  /** The present in ms. All data lie in the 90 days before this time; open orders end on the day after. */
  readonly now: number
}

export interface LargeDataStep {
  readonly name: string
  /** Statements to run in order. */
  readonly sql: readonly string[]
}

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/**
 * Returns the statements that fill an empty database with a large installation, to run in order on one connection. They
 * create users, deposits, withdrawals, settled and open orders, and all their transfers. The ledger reconciles to the
 * cent, and every result follows from its prices. The same size and time give the same data. The users cannot log in,
 * as their password is not a hash. The tick log is empty: prices are a function of symbol and minute.
 */
export function largeData({ users, orders, now }: LargeDataSize): LargeDataStep[] {
  const start = now - 90 * DAY
  const running = Math.ceil(orders / 500)
  return [
    { name: 'helpers', sql: HELPERS },
    { name: 'users', sql: [userRows(users, start)] },
    { name: 'indexes and rules put aside', sql: PUT_ASIDE },
    { name: 'orders', sql: orderRows({ users, orders, running, start, now }) },
    { name: 'prices of expiries', sql: [SETTLEMENT_PRICES] },
    { name: 'order history', sql: [ORDER_HISTORY] },
    { name: 'running orders', sql: [OPEN_ORDERS] },
    { name: 'deposits', sql: depositRows(users, now) },
    { name: 'withdrawals', sql: [withdrawalRows(users, now)] },
    { name: 'transfers', sql: [TRANSFERS] },
    { name: 'indexes and rules', sql: PUT_BACK },
    { name: 'balances', sql: [BALANCES] },
    // Without statistics the planner guesses, which would distort measurements.
    { name: 'statistics', sql: ['analyze'] },
  ]
}

/**
 * Drops all indexes that are not unique, because creating them after the rows takes a fraction of the time. Disables
 * the triggers that require the transfers of a payment, because the payments are inserted before their transfers.
 */
const PUT_ASIDE = [
  `alter table deposit disable trigger deposit_transferred`,
  `alter table arrival disable trigger arrival_transferred`,
  `alter table arrival disable trigger tell_arrival_insert`,
  `alter table withdrawal disable trigger withdrawal_transferred`,
  // This trigger requires an entry of the audit log for each payment, but these payments have none.
  `alter table transfer disable trigger transfer_audited`,
  `create temp table put_aside as
   select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
   from pg_index i
   where i.indrelid in ('order_history'::regclass, 'transfer'::regclass, 'deposit'::regclass, 'settlement_price'::regclass)
     and not i.indisunique`,
  `do $$ declare one record; begin for one in select * from put_aside loop execute 'drop index ' || one.name; end loop; end $$`,
]
const PUT_BACK = [
  `set maintenance_work_mem = '256MB'`,
  `do $$ declare one record; begin for one in select * from put_aside loop execute one.definition; end loop; end $$`,
  `alter table deposit enable trigger deposit_transferred`,
  `alter table arrival enable trigger arrival_transferred`,
  `alter table arrival enable trigger tell_arrival_insert`,
  `alter table withdrawal enable trigger withdrawal_transferred`,
  `alter table transfer enable trigger transfer_audited`,
]

const HELPERS = [
  `create function pg_temp.an_id(kind int, i int8) returns uuid language sql immutable as
    $$ select ('1a59e000-' || lpad(kind::text, 4, '0') || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid $$`,
  `create function pg_temp.mix(a int8, b int8) returns int8 language sql immutable as
    $$ select abs(hashint8extended(a, b) % 1000000007) $$`,
  `create function pg_temp.price_at(symbol int4, at_ms int8) returns int8 language sql immutable as
    $$ select 1000000 + pg_temp.mix(symbol, at_ms / ${MINUTE}) % 20000 $$`,
  `create function pg_temp.a_trx(kind int, i int8) returns text language sql immutable as
    $$ select 'FW-' || substr(h, 1, 5) || '-' || substr(h, 6, 5) || '-' || substr(h, 11, 5)
       from (select upper(kind || lpad(to_hex(i), 14, '0')) as h) t $$`,
]

function userRows(users: number, start: number): string {
  return `
    insert into app_user (id, username, email, mobile, mobile_code, country_code, password_hash, verified, created_ms)
    select pg_temp.an_id(1, i), 'large_' || lpad(i::text, 7, '0'), 'large_' || i || '@example.com',
      (5550000000 + i)::text, '+1', (array['US', 'DE', 'BR', 'JP', 'EG'])[1 + i % 5], '!', i % 20 <> 0,
      ${start} + i::int8 * ${89 * DAY} / ${users}
    from generate_series(1, ${users}) i`
}

interface OrderPlan {
  readonly users: number
  readonly orders: number
  readonly running: number
  readonly start: number
  readonly now: number
}

/** A few users place most orders, as in practice. The last orders are open and run for a day. */
function orderRows({ users, orders, running, start, now }: OrderPlan): string[] {
  const last = orders + running
  return [
    `create temp table symbols as select id, row_number() over (order by id) - 1 as place from market_symbol`,
    `create temp table settings as
      select t.id, t.seconds, e.value::int4 as profit_basis_points, row_number() over (order by t.seconds) - 1 as place
      from trade_setting t join terms_entry e on e.kind = 'payout' and e.subject = t.seconds::text`,
    `create temp table large_order as
    select i, pg_temp.an_id(2, i) as id, i > ${orders} as is_open, s.id as symbol_id, t.id as setting_id, t.seconds,
      t.profit_basis_points, (1 + pg_temp.mix(i, 3) % 2)::int2 as direction, (10 + pg_temp.mix(i, 4) % 200) * 100 as stake,
      pg_temp.an_id(1, 1 + floor(power(pg_temp.mix(i, 1) % 1000000 / 1000000.0, 2) * ${users})::int8) as user_id,
      o.opened_ms, o.opened_ms + t.seconds::int8 * 1000 as expires_ms,
      pg_temp.price_at(s.id, o.opened_ms) as entry_price,
      pg_temp.price_at(s.id, o.opened_ms + t.seconds::int8 * 1000) as exit_price
    from generate_series(1, ${last}) i
    cross join lateral (select case when i > ${orders} then ${now} - (i % 600) * ${MINUTE}
      else ${start} + i::int8 * ${88 * DAY} / ${orders} end / ${MINUTE} * ${MINUTE} as opened_ms) o
    join symbols s on s.place = pg_temp.mix(i, 2) % (select count(*) from symbols)
    join settings t on t.place = case when i > ${orders} then (select count(*) - 1 from settings)
      else pg_temp.mix(i, 5) % ((select count(*) from settings) - 1) end`,
    `analyze large_order`,
  ]
}

const SETTLEMENT_PRICES = `
  insert into settlement_price (symbol_id, expires_ms, exit_seq, exit_price, exit_time_ms, watermark_ms, decided_ms)
  select distinct symbol_id, expires_ms, 1, exit_price, expires_ms, expires_ms + 1000, expires_ms + 1000
  from large_order where not is_open`

const WON = '(case when direction = 1 then exit_price > entry_price else exit_price < entry_price end)'
const RESULT = `case when ${WON} then 1 when exit_price = entry_price then 3 else 2 end`
const PROFIT = '(stake * profit_basis_points / 10000)'

const FACTS = `user_id, id, 'large-' || i, pg_temp.a_trx(2, i), symbol_id, setting_id, seconds, direction, stake,
    profit_basis_points, 1, 1, entry_price, opened_ms, 'synthetic', opened_ms, expires_ms`
const FACT_COLUMNS = `user_id, id, client_order_id, trx, symbol_id, trade_setting_id, seconds, direction, stake,
    profit_basis_points, rule_version, entry_seq, entry_price, entry_time_ms, entry_source, opened_ms, expires_ms`

const ORDER_HISTORY = `
  insert into order_history (${FACT_COLUMNS}, result, result_amount, balance_after, exit_seq, exit_price, exit_time_ms, settled_ms)
  select ${FACTS}, ${RESULT}, case ${RESULT} when 1 then ${PROFIT} when 2 then -stake else 0 end, 0, 1, exit_price, expires_ms,
    expires_ms + 1000
  from large_order where not is_open`

const OPEN_ORDERS = `insert into open_order (${FACT_COLUMNS}) select ${FACTS} from large_order where is_open`

/** Four deposits per user, in total more than the user stakes. In addition, one user in 150 has a pending deposit. */
function depositRows(users: number, now: number): string[] {
  return [
    `create temp table needed as select user_id, sum(stake) as stakes from large_order group by user_id`,
    'analyze needed',
    `insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge, fixed_charge, total,
      rate_millionths, credited, fields, created_ms, decided_ms)
    select u.id, pg_temp.an_id(3, n), pg_temp.a_trx(3, n), g.id, case when waits then 2 else 1 end, 'USDT',
      a.amount, 0, 0, a.amount, 1000000, a.amount, '{}',
      case when waits then ${now} - (n % 10000) * 1000 else u.created_ms + part end,
      case when waits then null else u.created_ms + part + 60000 end
    from generate_series(1, ${users}) i
    cross join generate_series(0, 4) part
    cross join lateral (select i::int8 * 5 + part as n, part = 4 as waits) x
    join app_user u on u.id = pg_temp.an_id(1, i)
    left join needed on needed.user_id = u.id
    cross join lateral (select case when waits then 100000 else 100000 + coalesce(needed.stakes, 0) end::int8 as amount) a
    cross join (select min(id) as id from gateway where kind = 'deposit') g
    where part < 4 or i % 150 = 0`,
    // One arrival of the whole amount for each deposit. The arrival has the id of its deposit.
    `insert into arrival (id, gateway_id, currency, amount, source, external_id, reference, seen_ms, confirmed_ms, created_ms,
      state, user_id, deposit_id, rate_millionths, credited, charge, credited_ms)
    select id, gateway_id, currency, total::numeric * 1000000, 'demo', id::text, trx, created_ms, decided_ms, created_ms,
      'credited', user_id, id, rate_millionths, credited, 0, decided_ms
    from deposit where status = 1 and id between pg_temp.an_id(3, 0) and pg_temp.an_id(3, 281474976710655)`,
  ]
}

/** Every third user has one paid withdrawal. One user in 150 has a pending one. */
function withdrawalRows(users: number, now: number): string {
  return `
    insert into withdrawal (user_id, id, trx, gateway_id, status, state, currency, amount, percent_charge, fixed_charge,
      rate_millionths, paid_out, details, created_ms, decided_ms)
    select u.id, pg_temp.an_id(4, i), pg_temp.a_trx(4, i), g.id, case when waits then 2 else 1 end,
      case when waits then 'requested' else 'paid' end, 'USDT', 20000, 200, 100,
      1000000, 19700, jsonb_build_object('Address', 'T' || i), case when waits then ${now} - (i % 10000) * 1000 else at end,
      case when waits then null else at + (1 + i % 300) * ${MINUTE} end
    from generate_series(3, ${users}, 3) i
    cross join lateral (select i % 150 = 0 as waits, ${now} - (i::int8 * 7919 % 80 + 1) * ${DAY} as at) x
    join app_user u on u.id = pg_temp.an_id(1, i)
    cross join (select min(id) as id from gateway where kind = 'withdraw') g`
}

/** The transfers that the use cases would have posted, by kind. */
const TRANSFERS = `
  insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
  select user_id, id, 'stake', 'order_stake', 'cash', 'staked', 'USDT', stake, opened_ms from large_order
  union all
  select user_id, id, 'close', case ${RESULT} when 1 then 'order_win' when 2 then 'order_lose' else 'order_draw' end, 'staked',
    case ${RESULT} when 2 then 'house:trading' else 'cash' end, 'USDT', stake, expires_ms + 1000 from large_order where not is_open
  union all
  select user_id, id, 'profit', 'order_profit', 'house:trading', 'cash', 'USDT', ${PROFIT}, expires_ms + 1000
  from large_order where not is_open and ${WON} and ${PROFIT} > 0
  union all
  select user_id, id, 'deposit', 'deposit', 'house:deposits', 'cash', 'USDT', credited, decided_ms from deposit
  where status = 1 and id between pg_temp.an_id(3, 0) and pg_temp.an_id(3, 281474976710655)
  union all
  select user_id, id, 'hold', 'withdrawal_request', 'cash', 'withdrawing', 'USDT', amount, created_ms from withdrawal
  union all
  select user_id, id, 'close', 'withdrawal_paid', 'withdrawing', 'house:withdrawals', 'USDT', amount - percent_charge - fixed_charge,
    decided_ms from withdrawal where status = 1
  union all
  select user_id, id, 'fee', 'withdrawal_fee', 'withdrawing', 'house:fees', 'USDT', percent_charge + fixed_charge, decided_ms
  from withdrawal where status = 1`

const BALANCES = `
  insert into balance (user_id, currency, cash, staked, withdrawing, credits, open_orders)
  select u.id, 'USDT', coalesce(m.cash, 0), coalesce(m.staked, 0), coalesce(m.withdrawing, 0), 0, coalesce(o.orders, 0)
  from app_user u
  left join (
    select user_id, sum(amount) filter (where account = 'cash') as cash, sum(amount) filter (where account = 'staked') as staked,
      sum(amount) filter (where account = 'withdrawing') as withdrawing
    from (select user_id, to_account as account, amount from transfer
          union all select user_id, from_account, -amount from transfer) moves
    group by user_id) m on m.user_id = u.id
  left join (select user_id, count(*)::int4 as orders from open_order group by user_id) o on o.user_id = u.id
  where u.username like 'large\\_%'`
