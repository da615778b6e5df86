import { type RawBuilder, sql } from 'kysely'
import { csvLine } from '#server/platform/http/csv.ts'
import { type DataFile, SCHEMA } from '#server/site/own-data/data-file.ts'

/** 1,000 rows: about 200 KB for each step. */
const ROWS_PER_STEP = 1_000
const BYTE_ORDER_MARK = '\uFEFF'

/** SQL expression that converts a column of times in ms to ISO 8601 in UTC. */
export function isoOf(column: string): RawBuilder<string> {
  return sql`to_char(to_timestamp(${sql.ref(column)}::numeric / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** SQL expression that converts a column of amounts in the base currency to decimal text. */
export function amountOf(column: string): RawBuilder<string> {
  return sql`(${sql.ref(column)}::numeric / 100)::numeric(30, 2)::text`
}

/** SQL expression that lists what arrived for a deposit `t`, with the time at which each payment was seen. */
export const ARRIVED = sql`(
  select string_agg(trim_scale(a.amount / 100000000::numeric)::text || ' ' || ${isoOf('a.seen_ms')}, '; ' order by a.seen_ms)
  from arrival a where a.user_id = t.user_id and a.deposit_id = t.id)`

/** SQL expression that converts a column of prices to decimal text. The query must join the symbol as `s`. */
export function priceOf(column: string): RawBuilder<string> {
  return sql`trim_scale(${sql.ref(column)}::numeric / 10::numeric ^ s.decimals)::text`
}

export interface RowFile {
  readonly name: `${string}.csv`
  readonly columns: Readonly<Record<string, RawBuilder<unknown>>>
  /** The tables, with the user's table as `t`. Rows are filtered by `t.user_id` and sorted by `t.id`. */
  readonly from: RawBuilder<unknown>
  readonly where?: RawBuilder<unknown>
}

/**
 * Returns a CSV file with the rows of a user. Each step reads one page of rows. Each line begins with the schema
 * version.
 */
export function rowFile({ name, columns, from, where }: RowFile): DataFile {
  const selected = sql.join(Object.entries(columns).map(([as, value]) => sql`${value} as ${sql.ref(as)}`))
  const names = Object.keys(columns)
  return {
    name,
    async step({ ctx }, { userId }, place) {
      const { rows } = await sql<Record<string, unknown> & { place: string }>`
        select ${selected}, t.id::text as place from ${from}
        where t.user_id = ${userId}::uuid ${place === null || place === '' ? sql`` : sql`and t.id > ${place}::uuid`}
          ${where === undefined ? sql`` : sql`and ${where}`}
        order by t.id limit ${ROWS_PER_STEP}`.execute(ctx.db)
      const head = place === null ? BYTE_ORDER_MARK + csvLine(['schema', ...names]) : ''
      const lines = rows.map((row) => csvLine([SCHEMA, ...names.map((column) => row[column])]))
      const next = rows.length < ROWS_PER_STEP ? null : (rows.at(-1)?.place ?? null)
      return { content: head + lines.join(''), next }
    },
  }
}

/** Joins files with equal columns into one file. Only the first file's header line is kept. */
export function joinedFile(name: string, parts: readonly DataFile[]): DataFile {
  return {
    name,
    async step(own, subject, place) {
      const [, at = '0', inner] = /^(\d+) ?(.*)$/s.exec(place ?? '0') ?? []
      const part = parts[Number(at)]
      if (part === undefined) throw new Error(`${name} has no part ${at}`)
      // `null` starts the first part with its header line. An empty text starts a later part without a header line.
      const from = inner === undefined || inner === '' ? (Number(at) === 0 ? null : '') : inner
      const { content, next } = await part.step(own, subject, from)
      if (next !== null) return { content, next: `${at} ${next}` }
      const following = Number(at) + 1
      return { content, next: following < parts.length ? String(following) : null }
    },
  }
}
