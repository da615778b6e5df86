import { sql } from 'kysely'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { MAX_FILE_LINES, type PaymentFileState } from '#core/wallet/payment-file.ts'
import { readWithdrawalState, type WithdrawalState } from '#core/wallet/withdrawal-state.ts'
import {
  type ReviewedWithdrawal,
  selectReviewed,
  toReviewed,
} from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { PENDING, type Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import { type Cursor, type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** A file of payments for the portal of a bank. */
export interface PaymentFile {
  readonly id: string
  readonly methodId: number
  /** The current name of the method. */
  readonly method: string
  readonly currency: string
  readonly count: number
  /** The sum of the file, in the currency of the method. */
  readonly sum: Money
  /** The hash of the bytes of the file, in hexadecimal digits. */
  readonly sha256: string
  /** The encrypted content of the file. Empty after the account of one of its users was erased. */
  readonly sealed: string
  readonly maker: string
  readonly createdAt: Instant
  readonly voidedAt: Instant | null
  readonly downloads: number
  readonly state: PaymentFileState
}

/**
 * Names the place of the encrypted content. The encryption is bound to this name, so the content of one file cannot be
 * stored as that of another.
 */
export const paymentFilePlace = (id: string): string => `payment file ${id}`

type NewFile = Omit<PaymentFile, 'method' | 'maker' | 'voidedAt' | 'downloads' | 'state'> & {
  readonly staffId: string
  readonly who: string
}

/**
 * Inserts a file with its lines. The caller must hold the locks of the withdrawals, and start their payments in the
 * same transaction.
 */
export async function insertPaymentFile(
  tx: Tx,
  file: NewFile,
  withdrawals: readonly Pick<Withdrawal, 'userId' | 'id'>[],
): Promise<void> {
  await tx
    .insertInto('payment_file')
    .values({
      id: file.id,
      gateway_id: file.methodId,
      currency: file.currency,
      count: file.count,
      sum: file.sum,
      sha256: file.sha256,
      sealed: file.sealed,
      staff_id: file.staffId,
      who: file.who,
      created_ms: file.createdAt,
    })
    .execute()
  const lines = withdrawals.map(({ userId, id }, place) => ({
    user_id: userId,
    withdrawal_id: id,
    file_id: file.id,
    line: place + 1,
  }))
  await tx.insertInto('payment_file_line').values(lines).execute()
}

/** Marks a file as void. */
export async function voidFile(tx: Tx, id: string, at: Instant): Promise<void> {
  await tx.updateTable('payment_file').set({ voided_ms: at }).where('id', '=', id).execute()
}

/** Counts a download. Returns false for a file that is void, erased or unknown. */
export async function countDownload(tx: Tx, id: string): Promise<boolean> {
  const counted = await tx
    .updateTable('payment_file')
    .set((of) => ({ downloads: of('downloads', '+', 1) }))
    .where('id', '=', id)
    .where('voided_ms', 'is', null)
    .where('sealed', '<>', '')
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['f.created_ms', 'int8'],
    ['f.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists files, newest first. */
export async function listPaymentFiles(
  db: Db,
  { state }: { readonly state: PaymentFileState | null },
  page: Page,
): Promise<PaymentFile[]> {
  const files = selectFiles(db).$if(state !== null, (all) => all.where(STATE, '=', state))
  return (await pageAfter(files, NEWEST_FIRST, page).execute()).map(toFile)
}

export async function findPaymentFile(db: Db | Tx, id: string): Promise<PaymentFile | null> {
  const row = await selectFiles(db).where('f.id', '=', id).executeTakeFirst()
  return row ? toFile(row) : null
}

/** A line of a file, with the current state of its withdrawal. */
export interface PaymentFileLine {
  readonly line: number
  readonly trx: string
  readonly username: string
  readonly paidOut: Money
  readonly state: WithdrawalState
  readonly reference: string | null
}

/** Lists the lines of a file by their number. */
export async function listLines(db: Db | Tx, fileId: string): Promise<PaymentFileLine[]> {
  const rows = await db
    .selectFrom('payment_file_line as l')
    .innerJoin('withdrawal as w', (on) => on.onRef('w.user_id', '=', 'l.user_id').onRef('w.id', '=', 'l.withdrawal_id'))
    .innerJoin('app_user as u', 'u.id', 'l.user_id')
    .select(['l.line', 'w.trx', 'u.username', 'w.paid_out', 'w.state', 'w.reference'])
    .where('l.file_id', '=', fileId)
    .orderBy('l.line')
    .execute()
  return rows.map(({ paid_out: paidOut, state, ...line }) => ({
    ...line,
    paidOut: money(paidOut),
    state: readWithdrawalState(state),
  }))
}

/** Counts and sums the approved withdrawals of each method and currency. */
export async function listReadyMethods(db: Db) {
  const rows = await db
    .selectFrom('withdrawal as w')
    .innerJoin('gateway as g', 'g.id', 'w.gateway_id')
    .select(['w.gateway_id', 'g.name', 'w.currency'])
    .select((from) => [from.fn.countAll<bigint>().as('count'), from.fn.sum<string>('w.paid_out').as('sum')])
    .where('w.status', '=', PENDING)
    .where('w.state', '=', 'approved')
    .groupBy(['w.gateway_id', 'g.name', 'w.currency'])
    .orderBy('g.name')
    .orderBy('w.gateway_id')
    .orderBy('w.currency')
    .execute()
  return rows.map(({ gateway_id: methodId, name: method, currency, count, sum }) => ({
    methodId,
    method,
    currency,
    count: Number(count),
    sum: money(BigInt(sum)),
  }))
}

interface ReadyMethod {
  readonly methodId: number
  readonly currency: string
  readonly isPayable: (withdrawal: ReviewedWithdrawal) => boolean
  /** The most payments of one file. */
  readonly maxLines?: number
}

const EARLIEST_DEADLINE: Keyset = {
  columns: [
    ['w.clock_ms', 'int8'],
    ['w.id', 'uuid'],
  ],
  order: 'asc',
}

/**
 * Lists the approved withdrawals of a method by their deadline, earliest first: as many payable ones as one file can
 * have, and at most as many of the others that come before them.
 */
export async function listReady(
  db: Db,
  vault: Vault,
  { methodId, currency, isPayable, maxLines = MAX_FILE_LINES }: ReadyMethod,
): Promise<ReviewedWithdrawal[]> {
  const listed: ReviewedWithdrawal[] = []
  const counts = { payable: 0, other: 0 }
  for (let after: Cursor | null = null; ; ) {
    const rows = await readyAfter(db, { methodId, currency, maxLines }, after)
    for (const row of rows) {
      const withdrawal = toReviewed(row, vault)
      const kind = isPayable(withdrawal) ? 'payable' : 'other'
      if (counts[kind] < maxLines) listed.push(withdrawal)
      counts[kind] += 1
      if (counts.payable === maxLines) return listed
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < maxLines) return listed
    after = [Number(last.clock_ms), last.id]
  }
}

async function readyAfter(
  db: Db,
  { methodId, currency, maxLines }: Required<Omit<ReadyMethod, 'isPayable'>>,
  after: Cursor | null,
) {
  const ready = selectReviewed(db)
    .where('w.status', '=', PENDING)
    .where('w.state', '=', 'approved')
    .where('w.gateway_id', '=', methodId)
    .where('w.currency', '=', currency)
  return await pageAfter(ready, EARLIEST_DEADLINE, { after, limit: maxLines }).execute()
}

/** Finds the first and last name of each of these users by id. */
export async function findFullNames(tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx
    .selectFrom('app_user')
    .select(['id', 'firstname', 'lastname'])
    .where('id', 'in', [...userIds])
    .execute()
  return new Map(rows.map(({ id, firstname, lastname }) => [id, `${firstname} ${lastname}`.trim()]))
}

/** Finds a withdrawal of a method that was paid with one of these references. */
export async function findAnyReference(
  tx: Tx,
  { methodId, references }: { readonly methodId: number; readonly references: readonly string[] },
): Promise<string | null> {
  const row = await tx
    .selectFrom('withdrawal')
    .select('trx')
    .where('gateway_id', '=', methodId)
    .where('reference', 'in', [...references])
    .limit(1)
    .executeTakeFirst()
  return row?.trx ?? null
}

function selectFiles(db: Db | Tx) {
  return db
    .selectFrom('payment_file as f')
    .innerJoin('gateway as g', 'g.id', 'f.gateway_id')
    .selectAll('f')
    .select(['g.name as method', STATE.as('state')])
}

/** SQL expression for the state of a file. A file is open while any of its payments is in the state `paying`. */
const STATE = sql<PaymentFileState>`case
  when f.voided_ms is not null then 'void'
  when exists (select from payment_file_line l join withdrawal w on w.user_id = l.user_id and w.id = l.withdrawal_id
    where l.file_id = f.id and w.state = 'paying') then 'open'
  else 'done' end`

function toFile(row: Awaited<ReturnType<ReturnType<typeof selectFiles>['execute']>>[number]): PaymentFile {
  return {
    id: row.id,
    methodId: row.gateway_id,
    method: row.method,
    currency: row.currency,
    count: row.count,
    sum: money(row.sum),
    sha256: row.sha256,
    sealed: row.sealed,
    maker: row.who,
    createdAt: instant(row.created_ms),
    voidedAt: row.voided_ms === null ? null : instant(row.voided_ms),
    downloads: row.downloads,
    state: row.state,
  }
}
