/**
 * The payments that sold orders would have made at their expiry. They show whether the price of a sale was fair, and no
 * user gets them.
 */
export const SALE_EXPIRIES = [
  `create table sale_expiry (
    order_id uuid primary key,
    n int4 not null,
    payment int8 not null check (payment >= 0),
    noted_ms int8 not null,
    foreign key (order_id, n) references sale_end
  )`,
  `create function check_sale_expiry() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (
      select from sale_end e join order_history h on h.user_id = e.user_id and h.id = e.order_id
      where e.order_id = new.order_id and e.n = new.n and e.reason is null and new.noted_ms > h.expires_ms
        and new.payment in (0, h.stake, h.stake + half_even(h.stake::numeric * h.profit_basis_points, 10000)))
    then
      raise exception 'sale_expiry: no such end of a sold order' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger check_sale_expiry before insert on sale_expiry for each row execute function check_sale_expiry()`,
]
