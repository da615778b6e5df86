import { sql } from 'kysely'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Credits one deposit of this amount to each user whose name begins with `names`. */
export async function depositForAll(
  tx: Tx,
  { names, cash, at }: { readonly names: string; readonly cash: bigint; readonly at: number },
): Promise<void> {
  await sql`
    insert into gateway (id, kind, name, currency, min_amount, max_amount, rate_millionths, sort, is_automatic)
    values (1, 'deposit', 'Bank', ${BASE_CURRENCY}, 1, 1, 1000000, 1, true) on conflict do nothing`.execute(tx)
  await sql`
    with credited as (
      insert into deposit (user_id, id, trx, gateway_id, status, currency, amount, percent_charge, fixed_charge, total,
        rate_millionths, credited, created_ms, decided_ms)
      select id, gen_random_uuid(), id::text, 1, 1, ${BASE_CURRENCY}, ${cash}::int8, 0, 0, ${cash}::int8, 1000000,
        ${cash}::int8, ${at}::int8, ${at}::int8
      from app_user where starts_with(username, ${names})
      returning user_id, id),
    arrived as (
      insert into arrival (id, gateway_id, currency, amount, source, external_id, reference, seen_ms, confirmed_ms,
        created_ms, state, user_id, deposit_id, rate_millionths, credited, charge, credited_ms)
      select id, 1, ${BASE_CURRENCY}, ${cash}::numeric * 1000000, 'demo', id::text, id::text, ${at}::int8, ${at}::int8,
        ${at}::int8, 'credited', user_id, id, 1000000, ${cash}::int8, 0, ${at}::int8
      from credited)
    insert into transfer (user_id, ref, step, kind, from_account, to_account, currency, amount, created_ms)
    select user_id, id, 'deposit', 'deposit', 'house:deposits', 'cash', ${BASE_CURRENCY}, ${cash}::int8, ${at}::int8
    from credited`.execute(tx)
}
