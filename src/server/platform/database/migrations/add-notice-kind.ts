/** Returns SQL that adds a kind to the list of allowed kinds of notices, whatever kinds the list has at that time. */
export const addNoticeKind = (kind: string): string => `do $$
  declare
    kinds text := (select string_agg(quote_literal(listed[1]), ', ') from pg_constraint,
      regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g') as listed where conname = 'notice_kind_check');
  begin
    alter table notice drop constraint notice_kind_check;
    execute format('alter table notice add constraint notice_kind_check check (kind in (%s, ''${kind}''))', kinds);
  end $$`
