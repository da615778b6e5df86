import { type RawBuilder, sql } from 'kysely'
import { likeText } from '#server/back-office/api/like-text.ts'
import { isUuid } from '#core/ids/uuid.ts'
import { readPhoneSearch } from '#core/accounts/phone-search.ts'
import { readTrxStart } from '#core/orders/trx.ts'
import { uidEnds } from '#core/accounts/uid.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { moneyOrNull } from '#server/users/accounts/users.queries.ts'

export interface UserFilters {
  /**
   * A part of a name, email address or phone number, the start of the reference of an order or a payment, a UID or an
   * id.
   */
  readonly search?: string | undefined
  readonly verified?: boolean | undefined
  readonly mayTrade?: boolean | undefined
  readonly maySignIn?: boolean | undefined
  readonly isBot?: boolean | undefined
}

/** The fields of an account that lists show. */
export interface ListedUser {
  readonly id: string
  readonly username: string
  readonly email: string | null
  readonly mobile: string
  readonly mobileCode: string
  readonly countryCode: string
  readonly verified: boolean
  readonly mayTrade: boolean
  readonly maySignIn: boolean
  readonly isBot: boolean
  readonly cash: Money
  readonly staked: Money
  readonly createdAt: Instant
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['u.created_ms', 'int8'],
    ['u.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists users, newest first. */
export async function listUsers(
  db: Db,
  { search, verified, mayTrade, maySignIn, isBot }: UserFilters,
  page: Page,
): Promise<ListedUser[]> {
  const wanted = users(db)
    .$if(search !== undefined, (all) => all.where(matching(search ?? '')))
    .$if(verified !== undefined, (all) => all.where('u.verified', '=', verified === true))
    .$if(mayTrade !== undefined, (all) => all.where('u.trade_allowed', '=', mayTrade === true))
    .$if(maySignIn !== undefined, (all) => all.where('u.sign_in_blocked', '=', maySignIn === false))
    .$if(isBot !== undefined, (all) => all.where('u.is_bot', '=', isBot === true))
  const rows = await pageAfter(wanted, NEWEST_FIRST, page).execute()
  return rows.map(toListed)
}

export const userCursor = ({ createdAt, id }: ListedUser): Cursor => [createdAt, id]

/** Finds an account with all fields that its page in the back office shows. */
export async function findUser(db: Db, id: string) {
  const row = await users(db)
    .select([
      'u.version',
      'u.firstname',
      'u.lastname',
      'u.address',
      'u.language',
      'u.invitation_code',
      'u.trade_reason',
      'u.sign_in_reason',
      'u.verification_reason',
      'u.withdrawals_allowed',
      'u.withdrawals_reason',
      'u.max_stake',
      'u.max_open_stake',
      'b.withdrawing',
      'b.credits',
      'b.open_orders',
    ])
    .select(sql<boolean>`u.pin_hash is not null`.as('has_pin'))
    .where('u.id', '=', id)
    .executeTakeFirst()
  if (!row) return null
  return {
    ...toListed(row),
    version: row.version,
    firstName: row.firstname,
    lastName: row.lastname,
    address: row.address,
    language: row.language,
    invitationCode: row.invitation_code,
    hasPin: row.has_pin,
    tradeReason: row.trade_reason,
    signInReason: row.sign_in_reason,
    verificationReason: row.verification_reason,
    withdrawing: money(row.withdrawing),
    credits: money(row.credits),
    openOrders: row.open_orders,
    mayWithdraw: row.withdrawals_allowed,
    withdrawalsReason: row.withdrawals_reason,
    maxStake: moneyOrNull(row.max_stake),
    maxOpenStake: moneyOrNull(row.max_open_stake),
  }
}

function users(db: Db) {
  return db
    .selectFrom('app_user as u')
    .innerJoin('balance as b', (join) => join.onRef('b.user_id', '=', 'u.id').on('b.currency', '=', BASE_CURRENCY))
    .select([
      'u.id',
      'u.username',
      'u.email',
      'u.mobile',
      'u.mobile_code',
      'u.country_code',
      'u.verified',
      'u.trade_allowed',
      'u.sign_in_blocked',
      'u.is_bot',
      'u.created_ms',
      'b.cash',
      'b.staked',
    ])
}

type UserColumns = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>

function toListed(row: UserColumns): ListedUser {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    mobile: row.mobile,
    mobileCode: row.mobile_code,
    countryCode: row.country_code,
    verified: row.verified,
    mayTrade: row.trade_allowed,
    maySignIn: !row.sign_in_blocked,
    isBot: row.is_bot,
    cash: money(row.cash),
    staked: money(row.staked),
    createdAt: instant(row.created_ms),
  }
}

/**
 * 3 characters: a shorter text is compared only with the start of usernames and email addresses, because most users
 * would contain it.
 */
const MIN_PART_LENGTH = 3

/**
 * SQL condition for a search. The start of a name, address or number is found by an index. A text inside one of them,
 * and a UID, need a read of all users, which takes about 0.1 s for each 100,000 users on PostgreSQL.
 */
function matching(search: string): RawBuilder<boolean> {
  if (isUuid(search)) return sql<boolean>`u.id = ${search}::uuid`
  return sql<boolean>`(${sql.join([byText(search), ...byUid(search), ...byTrx(search), ...byPhone(search)], sql` or `)})`
}

function byText(search: string): RawBuilder<boolean> {
  const sought = likeText(search.toLowerCase())
  const [start, part] = [`${sought}%`, `%${sought}%`]
  return search.length < MIN_PART_LENGTH
    ? sql<boolean>`lower(u.username) like ${start} or lower(u.email) like ${start}`
    : sql<boolean>`lower(u.username) like ${part} or lower(u.email) like ${part}
        or lower(u.firstname || ' ' || u.lastname) like ${part}`
}

function byUid(search: string): RawBuilder<boolean>[] {
  const ends = uidEnds(search)
  return ends === null ? [] : [sql<boolean>`right(u.id::text, 14) in (${sql.join(ends)})`]
}

/** 8 characters: `FW-` and the first group of 5. Orders of too many users share a shorter start of a reference. */
const MIN_TRX_LENGTH = 8
const MAX_OWNERS = 100

/** SQL condition for the users of orders and payments whose reference starts with the text. */
function byTrx(search: string): RawBuilder<boolean>[] {
  const trx = readTrxStart(search)
  if (trx === null || trx.length < MIN_TRX_LENGTH) return []
  const owners = (['open_order', 'order_history', 'deposit', 'withdrawal'] as const).map(
    (table) => sql`(select user_id from ${sql.table(table)} where trx like ${`${trx}%`} limit ${MAX_OWNERS})`,
  )
  return [sql<boolean>`u.id in (${sql.join(owners, sql` union all `)})`]
}

function byPhone(search: string): RawBuilder<boolean>[] {
  const phone = readPhoneSearch(search)
  if (phone === null) return []
  const starts = phone.starts.map(({ code, number }) => {
    const isStart = sql<boolean>`u.mobile like ${`${number}%`}`
    return code === null ? isStart : sql<boolean>`(${isStart} and u.mobile_code = ${code})`
  })
  return [...starts, ...phone.parts.map((part) => sql<boolean>`u.mobile like ${`%${part}%`}`)]
}
