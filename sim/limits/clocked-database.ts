import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import type { Db, Tables } from '#server/platform/database/tables.ts'
import { openEmbedded, type TestDatabase } from '#test/support/database.ts'
import type { SeenRow } from '../auditor/seen-row.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { outsideDriver } from '../simulation/database-store.ts'
import type { SharedStore } from '../simulation/faulty-dialect.ts'
import type { SchemaPatch } from '../simulation/injection-points.ts'

/** The written rows of these tables are listed for the auditor. */
const SEEN = ['open_order', 'order_history', 'self_limit', 'notice', 'price_alert', 'deposit', 'tick_batch'] as const

/** The database reads its clock from a setting of the session. Its own functions find this function first. */
const CLOCK = [
  `create schema sim`,
  `create function sim.clock_timestamp() returns timestamptz language sql volatile as $$
    select pg_catalog.to_timestamp(pg_catalog.current_setting('sim.now_ms')::float8 / 1000)
  $$`,
  `do $$
  declare
    own regprocedure;
  begin
    for own in select oid from pg_proc
      where pronamespace = 'public'::regnamespace and exists (select from unnest(proconfig) c where c like 'search_path%')
    loop
      execute 'alter function ' || own || ' set search_path = sim, pg_catalog, public';
    end loop;
  end $$`,
  `grant usage on schema sim to public`,
  `set search_path = sim, pg_catalog, public`,
]

const compiler = () => new PostgresQueryCompiler()

const LIST = [
  `create table sim.seen (n int8 generated always as identity primary key, at_ms int8 not null, name text not null,
    before jsonb, after jsonb)`,
  `create function sim.see() returns trigger language plpgsql security definer as $$
  begin
    insert into sim.seen (at_ms, name, before, after) values (pg_catalog.current_setting('sim.now_ms')::int8, tg_table_name,
      case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
    return null;
  end $$`,
  ...SEEN.map(
    (table) => `create trigger zz_seen after insert or update on ${table} for each row execute function sim.see()`,
  ),
  `create trigger zz_seen_delete after delete on self_limit for each row execute function sim.see()`,
]

/**
 * The embedded database with the product's own schema, on the simulated clock. Written rows are listed in the order of
 * the commits, because the database has one session.
 */
export class ClockedDatabase {
  readonly #database: TestDatabase
  #clockAt: number | null = null
  #undo: readonly string[] = []

  private constructor(database: TestDatabase) {
    this.#database = database
  }

  static async open(): Promise<ClockedDatabase> {
    const database = await openEmbedded()
    await database.asOwner(async (db) => {
      for (const statement of [...CLOCK, ...LIST]) await sql.raw(statement).execute(db)
    })
    return new ClockedDatabase(database)
  }

  /** Empties the database, plants bugs, and sets its clock to the kernel's. Statements take no virtual time. */
  async begin(
    kernel: Kernel,
    now: () => number,
    patches: readonly SchemaPatch[],
  ): Promise<{ readonly db: Db; readonly shared: SharedStore }> {
    await this.#database.truncateAll()
    this.#clockAt = null
    await this.#database.asOwner(async (db) => {
      await sql`truncate sim.seen restart identity`.execute(db)
      this.#undo = await plant(db, patches)
    })
    const driver = this.#clockedDriver(outsideDriver(this.#database.db, kernel), now)
    const db = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (own) => new PostgresIntrospector(own),
        createQueryCompiler: compiler,
      },
    })
    return { db, shared: { driver, compiler } }
  }

  /** Removes the planted bugs. */
  async end(): Promise<void> {
    await this.#database.asOwner(async (db) => {
      for (const statement of this.#undo) await sql.raw(statement).execute(db)
    })
    this.#undo = []
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** Reads the written rows whose number is greater than `n`, in the order of the commits. */
  async seenAfter(n: number): Promise<SeenRow[]> {
    return await this.#database.asOwner(async (db) => {
      const { rows } = await sql<{
        n: string
        at_ms: string
        name: string
        before: object | null
        after: object | null
      }>`
        select n::text, at_ms::text, name, before, after from sim.seen where n > ${n}::int8 order by seen.n`.execute(db)
      return rows.map((row) => ({
        n: Number(row.n),
        at: Number(row.at_ms),
        table: row.name,
        before: row.before as SeenRow['before'],
        after: row.after as SeenRow['after'],
      }))
    })
  }

  #clockedDriver(inner: Driver, now: () => number): Driver {
    const clocked = (connection: DatabaseConnection): DatabaseConnection => ({
      streamQuery: () => {
        throw new Error('streaming is not supported')
      },
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const at = now()
        if (this.#clockAt !== at) {
          await connection.executeQuery(CompiledQuery.raw(`select set_config('sim.now_ms', '${at}', false)`))
          this.#clockAt = at
        }
        return await connection.executeQuery<R>(query)
      },
    })
    const owners = new WeakMap<DatabaseConnection, DatabaseConnection>()
    const own = (connection: DatabaseConnection) => owners.get(connection) ?? connection
    return {
      init: () => inner.init(),
      async acquireConnection() {
        const connection = await inner.acquireConnection()
        const outer = clocked(connection)
        owners.set(outer, connection)
        return outer
      },
      beginTransaction: (connection, settings) => inner.beginTransaction(own(connection), settings),
      commitTransaction: (connection) => inner.commitTransaction(own(connection)),
      rollbackTransaction: async (connection) => {
        // A rollback also undoes the clock setting of this transaction, so the next statement must set the clock again.
        this.#clockAt = null
        await inner.rollbackTransaction(own(connection))
      },
      releaseConnection: (connection) => inner.releaseConnection(own(connection)),
      destroy: () => Promise.resolve(),
    }
  }
}

/** Plants bugs in the schema. Returns the statements that remove them. */
async function plant(db: Db, patches: readonly SchemaPatch[]): Promise<string[]> {
  const undo: string[] = []
  for (const patch of patches) {
    if ('run' in patch) {
      for (const statement of patch.run) await sql.raw(statement).execute(db)
      undo.unshift(...patch.putBack)
      continue
    }
    const { rows } = await sql<{ source: string }>`
      select pg_get_functiondef(oid) as source from pg_proc
      where proname = ${patch.inFunction} and pronamespace = 'public'::regnamespace`.execute(db)
    const [{ source } = { source: '' }] = rows
    const planted = source.replace(patch.text, patch.by)
    if (planted === source) throw new Error(`the function ${patch.inFunction} has no ${patch.text}`)
    await sql.raw(planted).execute(db)
    undo.unshift(source)
  }
  return undo
}

/** Opens a database on the simulated clock for some work. */
export async function withClockedDatabase<T>(work: (database: ClockedDatabase) => Promise<T>): Promise<T> {
  const database = await ClockedDatabase.open()
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
