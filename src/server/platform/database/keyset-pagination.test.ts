import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Cursor,
  type Keyset,
  pageAfter,
  readCursor,
  writeCursor,
} from '#server/platform/database/keyset-pagination.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
const QUEUE: Keyset = {
  columns: [
    ['started_ms', 'int8'],
    ['run', 'uuid'],
  ],
  order: 'asc',
}
const HISTORY: Keyset = { ...QUEUE, order: 'desc' }
const BY_NAME: Keyset = { columns: [[sql`lower(name)`, 'text']], order: 'asc' }
const run = (nth: number) => `00000000-0000-0000-0000-00000000000${nth}`

const read = (keyset: Keyset, after: Cursor | null, limit = 10) =>
  pageAfter(database.db.selectFrom('server_run').select(['run', 'started_ms', 'name']), keyset, {
    after,
    limit,
  }).execute()

async function readPages(keyset: Keyset, cursorOf: (row: Awaited<ReturnType<typeof read>>[number]) => Cursor) {
  const pages: string[][] = []
  for (let after: Cursor | null = null; ; ) {
    const rows = await read(keyset, after, 2)
    const last = rows.at(-1)
    if (!last) return pages
    pages.push(rows.map(({ name }) => name))
    after = readCursor(writeCursor(cursorOf(last)))
  }
}

describe('pages of a list', () => {
  beforeEach(async () => {
    const { db } = database
    const rows = [
      [1, 10, 'b'],
      [2, 20, 'A'],
      [3, 20, 'd'],
      [4, 20, 'C'],
      [5, 30, 'e'],
    ] as const
    await db
      .insertInto('server_run')
      .values(rows.map(([nth, at, name]) => ({ run: run(nth), name, started_ms: at, seen_ms: at })))
      .execute()
  })

  it('contain each row once, in either order, also where the first column is equal', async () => {
    const place = (row: { started_ms: bigint; run: string }) => [Number(row.started_ms), row.run]
    expect(await readPages(QUEUE, place)).toEqual([['b', 'A'], ['d', 'C'], ['e']])
    expect(await readPages(HISTORY, place)).toEqual([['e', 'C'], ['d', 'A'], ['b']])
  })

  it('can be sorted by an expression', async () => {
    expect(await readPages(BY_NAME, ({ name }) => [name.toLowerCase()])).toEqual([['A', 'b'], ['C', 'd'], ['e']])
  })

  it.each<Cursor>([[], [10], ['10', run(1)], [10, 1], [10, 'x'], [1.5, run(1)], [1e300, run(1)], [null, null]])(
    'are empty after a forged cursor %j',
    async (...after) => {
      expect(await read(QUEUE, after)).toEqual([])
    },
  )

  it('a page is empty after a cursor with a value out of range', async () => {
    expect(await read(BY_NAME, ['\0'])).toEqual([])
    expect(await read({ columns: [[sql`1`, 'int4']], order: 'asc' }, [2 ** 31])).toEqual([])
  })
})

it('returns null for a text that is not a cursor', () => {
  for (const text of ['', 'not base64!', 'eyJhIjoxfQ', Buffer.from('["x"').toString('base64url')]) {
    expect(readCursor(text), text).toBeNull()
  }
})
