import { sql } from 'kysely'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import { money } from '#core/money/money.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { AcceptRow } from '#server/trading/engine/accept.queries.ts'
import type { EngineStore } from '#server/trading/engine/engine-store.ts'
import type { PlannedOrder } from '#server/trading/engine/planned-order.ts'
import { refusedRow } from './refused-row.ts'
import type { Parts } from '../simulation/injection-points.ts'

export interface LimitMutant {
  /** A description of the bug in one sentence. */
  readonly bug: string
  readonly parts: () => Partial<Parts>
}

/**
 * Bugs in the handling of personal limits, breaks, price alerts and notices. Simulations on the embedded database
 * search for them.
 */
export const LIMIT_MUTANTS: Readonly<Record<string, LimitMutant>> = {
  'limit-raced': {
    bug: 'room under a limit is looked at before the statement: parallel orders on two engines take the same room',
    parts: () => ({
      // The database function no longer returns these limits, so the statement that accepts orders cannot check them.
      schema: ['loss_day', 'loss_week', 'loss_month', 'staked_day', 'staked_week', 'staked_month'].map((key) => ({
        inFunction: 'self_rules_of',
        text: `max(amount) filter (where key = '${key}')`,
        by: 'null::int8',
      })),
      engineStore: looksFirst,
    }),
  },
  'window-forgets': {
    bug: 'marks are dated a month too early: windows begin late, and forget what ended before',
    parts: () => ({
      schema: [
        {
          run: [
            `create function sim.dated_early() returns trigger language plpgsql as $$
            begin
              new.made_ms := new.made_ms - 2592000000;
              return new;
            end $$`,
            `create trigger a_dated_early before insert on limit_mark for each row execute function sim.dated_early()`,
          ],
          putBack: [`drop trigger a_dated_early on limit_mark`, `drop function sim.dated_early`],
        },
      ],
    }),
  },
  'break-lifted-by-limit': {
    bug: 'a change of a limit writes the copied rules anew, without the break that is on',
    parts: () => ({
      schema: [
        {
          inFunction: 'self_rules_reach_balances',
          text: 'return null;',
          by: `if tg_table_name = 'self_limit' then
              update balance set closed_until_ms = null where user_id = coalesce(new.user_id, old.user_id);
            end if;
            return null;`,
        },
      ],
    }),
  },
  'exclusion-lifted': {
    bug: 'the end of an exclusion is copied in seconds, and read in milliseconds',
    parts: () => ({
      schema: [
        {
          inFunction: 'self_rules_of',
          text: `when 'exclusion' then 4611686018427387904`,
          by: `when 'exclusion' then until_ms / 1000`,
        },
      ],
    }),
  },
  'loosened-without-day': {
    bug: 'a looser limit can be confirmed at once',
    parts: () => ({
      schema: [
        { inFunction: 'check_self_limit_change', text: `when 'looser' then 86400000`, by: `when 'looser' then 0` },
      ],
    }),
  },
  'loosened-without-yes': {
    bug: 'a looser limit holds from the request on, without its day and its confirmation',
    parts: () => ({
      schema: [
        {
          inFunction: 'check_self_limit_change',
          text: `if new.direction = 'tighter' then`,
          by: `if new.to_amount is not null then`,
        },
      ],
    }),
  },
  'notice-doubled': {
    bug: 'a decided deposit is told under its id and once more under its reference',
    parts: () => ({
      schema: [
        {
          inFunction: 'tell_deposit_update',
          text: 'return null;',
          by: `perform tell(new.user_id, case new.status when 1 then 'deposit_credited' else 'deposit_rejected' end,
              new.trx, jsonb_build_object('trx', new.trx, 'amount', new.credited), new.decided_ms);
            return null;`,
        },
      ],
    }),
  },
  'notice-lost': {
    bug: 'an alert that fires during a break counts as told',
    parts: () => ({
      schema: [
        {
          inFunction: 'tell_price_alerts',
          text: `end loop;`,
          by: `end loop;
            update price_alert set notified_round = round where notified_round < round;`,
        },
      ],
    }),
  },
  'decision-untold': {
    bug: 'the notice of a rejected deposit is lost',
    parts: () => ({
      schema: [
        {
          inFunction: 'tell_deposit_update',
          text: 'perform tell(',
          by: 'if new.status = 3 then return null; end if; perform tell(',
        },
      ],
    }),
  },
  'alert-fired-again': {
    bug: 'only the watching server remembers that an alert has fired: after a failover it fires again',
    parts: () => ({
      schema: [
        {
          run: [
            `create function sim.forgetful() returns trigger language plpgsql as $$
            begin
              if new.round > old.round then
                new.state := old.state;
                new.armed := old.armed;
                new.quiet_ms := old.quiet_ms;
                new.version := old.version;
              end if;
              return new;
            end $$`,
            `create trigger a_forgetful before update on price_alert for each row execute function sim.forgetful()`,
          ],
          putBack: [`drop trigger a_forgetful on price_alert`, `drop function sim.forgetful`],
        },
      ],
    }),
  },
}

/** Checks how much each user may still stake in a separate statement, before the statement that accepts the orders. */
function looksFirst(store: EngineStore, db: Db): EngineStore {
  return {
    ...store,
    acceptWholeUsers: (orders) => Promise.resolve(orders.map(() => null)),
    async acceptBatch(orders, ...how) {
      const rooms = await readRooms(db, orders)
      const takes = orders.map(({ userId, stake }) => {
        const room = rooms.get(userId)
        if (room === undefined) return null
        if (stake > room.left) return room.key
        room.left -= stake
        return null
      })
      const rest = orders.filter((_, at) => takes[at] === null)
      const decided = rest.length === 0 ? [] : await store.acceptBatch(rest, ...how)
      return takes.map((key) => (key === null ? decided.shift() : null) ?? refusedBy(key ?? 'loss_day'))
    },
  }
}

function refusedBy(key: Room['key']): AcceptRow {
  const window = { key, left: money(0) }
  const isLoss = key.startsWith('loss')
  const own = { stakeMax: null, loss: isLoss ? window : null, staked: isLoss ? null : window }
  return refusedRow(isLoss ? 'self_loss_limit' : 'self_staked_limit', own)
}

interface Room {
  readonly key: SelfLimitKey
  left: bigint
}

async function readRooms(db: Db, orders: readonly PlannedOrder[]): Promise<Map<string, Room>> {
  const { rows } = await sql<{ user_id: string; key: SelfLimitKey; room: bigint }>`
    select distinct on (l.user_id) l.user_id, l.key,
      (l.amount - open.stakes - case when l.key like 'loss%' then greatest(0, -ended.net) else ended.stakes end)::int8 as room
    from self_limit l
    cross join lateral (select coalesce(sum(stake), 0) as stakes from open_order o where o.user_id = l.user_id) open
    cross join lateral (
      select coalesce(sum(result_amount), 0) as net, coalesce(sum(stake) filter (where result <> 4), 0) as stakes
      from order_history h where h.user_id = l.user_id and h.settled_ms > extract(epoch from clock_timestamp()) * 1000
        - case when l.key like '%day' then 1 when l.key like '%week' then 7 else 30 end * 86400000::int8
    ) ended
    where l.user_id = any(${orders.map(({ userId }) => userId)}::uuid[]) and (l.key like 'loss%' or l.key like 'staked%')
    order by l.user_id, room`.execute(db)
  return new Map(rows.map(({ user_id, key, room }) => [user_id, { key, left: room }]))
}
