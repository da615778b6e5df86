/** What sold orders would have paid at their expiry. Nobody gets it: it shows whether the price of a sale was fair. */
export const KEPT_ORDERS = [
  `create table kept_order (
    order_id uuid primary key,
    n int4 not null,
    payment int8 not null check (payment >= 0),
    noted_ms int8 not null,
    foreign key (order_id, n) references sale_end
  )`,
  `create function check_kept_order() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (
      select from sale_end e join order_history h on h.user_id = e.user_id and h.id = e.order_id
      where e.order_id = new.order_id and e.n = new.n and e.reason is null and new.noted_ms > h.expires_ms
        and new.payment in (0, h.stake, h.stake + half_even(h.stake::numeric * h.profit_basis_points, 10000)))
    then
      raise exception 'kept_order: no such end of a sold order' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger check_kept_order before insert on kept_order for each row execute function check_kept_order()`,
]
