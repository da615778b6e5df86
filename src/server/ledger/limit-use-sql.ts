import { type RawBuilder, sql } from 'kysely'
import { WINDOW_MS } from '#core/accounts/self-limits.ts'

const { day, week, month } = WINDOW_MS

/**
 * Selects the windows of the user's own limits on losses and stakes at the time `at`. The limits are columns of the
 * balance `l`. `used` sums the orders that have ended since the newest mark before the window, and is null without such
 * a mark. The caller must add the stakes of open orders.
 *
 * Only the balance has to be current: an outdated list of marks makes a window longer, and never shorter.
 */
export const limitWindows = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select w.key, w.is_loss, w.value, w.ms, m.made_ms,
    case when m.made_ms is null then null
      when w.is_loss then greatest(0, m.net_total - l.net_total) else l.stake_total - m.stake_total end as used
  from (values ('loss_day', true, l.loss_day, ${sql.lit(day)}::int8), ('loss_week', true, l.loss_week, ${sql.lit(week)}),
    ('loss_month', true, l.loss_month, ${sql.lit(month)}), ('staked_day', false, l.staked_day, ${sql.lit(day)}),
    ('staked_week', false, l.staked_week, ${sql.lit(week)}), ('staked_month', false, l.staked_month, ${sql.lit(month)})
  ) w (key, is_loss, value, ms)
  left join lateral (
    select made_ms, net_total, stake_total from limit_mark m
    where m.user_id = l.user_id and m.made_ms <= ${at} - w.ms order by m.made_ms desc limit 1
  ) m on true
  where w.value is not null`
