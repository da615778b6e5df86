import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { likeText } from '#server/back-office/api/like-text.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type AccessCode, toCode } from '#server/users/access-codes/access-codes.queries.ts'

/** An access code, with its number of uses and the deposits of its users. */
export interface ListedCode extends AccessCode {
  readonly used: number
  readonly createdBy: string
  readonly createdAt: Instant
  readonly deposited: Money
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['created_ms', 'int8'],
    ['id', 'uuid'],
  ],
  order: 'desc',
}

/** The sum of the deposits of the users who signed up with a code. Adjustments by staff do not count as deposits. */
const DEPOSITED = sql<bigint>`coalesce((
  select sum(t.amount) from access_code_use u join transfer t on t.user_id = u.user_id and t.kind = 'deposit'
  where u.code_id = access_code.id), 0)::int8`

export async function listAccessCodes(
  db: Db,
  { search, isOn }: { readonly search: string | null; readonly isOn: boolean | null },
  page: Page,
): Promise<ListedCode[]> {
  const pattern = `%${likeText(search ?? '')}%`
  const all = db
    .selectFrom('access_code')
    .selectAll()
    .select(DEPOSITED.as('deposited'))
    .$if(isOn !== null, (codes) => codes.where('is_on', '=', isOn ?? true))
    .$if(search !== null, (codes) =>
      codes.where((by) => by.or([by('code', 'ilike', pattern), by('label', 'ilike', pattern)])),
    )
  const rows = await pageAfter(all, NEWEST_FIRST, page).execute()
  return rows.map((row) => ({
    ...toCode(row),
    used: row.used,
    createdBy: row.created_by,
    createdAt: instant(row.created_ms),
    deposited: money(row.deposited),
  }))
}

export function accessCodeCursor({ createdAt, id }: ListedCode): Cursor {
  return [createdAt, id]
}
