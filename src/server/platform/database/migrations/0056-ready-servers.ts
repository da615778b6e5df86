import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `alter table server_run add column ready_ms int8`,
  `-- Of earlier runs only the start is known.
  update server_run set ready_ms = started_ms`,
  `create function keep_first_ready() returns trigger language plpgsql as $$
  begin
    raise exception 'server_run: when a server was first ready is written once' using errcode = 'check_violation';
  end $$`,
  `create trigger server_run_first_ready before update on server_run
    for each row when (old.ready_ms is not null and new.ready_ms is distinct from old.ready_ms)
    execute function keep_first_ready()`,
]

/** Records when each server run first accepted orders. Until then the server counts as not running. */
export const readyServers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
