import { isLost, isRecoveryState, type Lost, type RecoveryState } from '#core/accounts/recovery.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The recovery of one account, which replaces factors that its user has lost. */
export interface Recovery {
  readonly userId: string
  readonly username: string
  readonly id: string
  readonly lost: readonly Lost[]
  /** The email address that replaces the lost contacts and gets the link. Null when the user has lost no contact. */
  readonly newAddress: string | null
  /** The verified contact of the user, which gets the link when there is no new address. */
  readonly provenAddress: string | null
  readonly words: string
  readonly deposits: readonly string[]
  readonly contentHash: string
  readonly requestedBy: string
  readonly requestedByName: string
  readonly requestedAt: Instant
  readonly requestedFrom: string
  readonly state: RecoveryState
  readonly confirmedByName: string | null
  readonly mark: string
  /** The time from which staff can send the link. Null until the recovery is confirmed. */
  readonly opensAt: Instant | null
  readonly linkUntil: Instant | null
  readonly closedBy: string
  readonly closedAt: Instant | null
}

type NewRecovery = Pick<
  Recovery,
  | 'userId'
  | 'id'
  | 'lost'
  | 'newAddress'
  | 'words'
  | 'deposits'
  | 'contentHash'
  | 'requestedBy'
  | 'requestedAt'
  | 'requestedFrom'
>

/** Stores a new recovery. Returns false when the user has another recovery that has not ended. */
export async function insertRecovery(tx: Tx, one: NewRecovery): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_recovery')
    .values({
      user_id: one.userId,
      id: one.id,
      lost: [...one.lost],
      new_address: one.newAddress,
      words: one.words,
      deposits: [...one.deposits],
      content_hash: one.contentHash,
      asked_by: one.requestedBy,
      asked_ms: one.requestedAt,
      asked_from: one.requestedFrom,
    })
    .onConflict((conflict) => conflict.column('user_id').where('state', 'in', ['asked', 'waiting']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

const NEWEST_FIRST: Keyset = {
  columns: [
    ['r.asked_ms', 'int8'],
    ['r.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists the recoveries, newest first. With `isOpen`, only recoveries that have not ended. */
export async function listRecoveries(db: Db, isOpen: boolean, page: Page): Promise<Recovery[]> {
  const wanted = recoveries(db).$if(isOpen, (all) => all.where('r.state', 'in', ['asked', 'waiting']))
  return (await pageAfter(wanted, NEWEST_FIRST, page).execute()).map(toRecovery)
}

/** Counts the recoveries that wait for staff: to confirm the request, or to send the link. */
export async function countRecoveries(db: Db, now: Instant): Promise<number> {
  const { count } = await db
    .selectFrom('account_recovery')
    .select((of) => of.fn.countAll<bigint>().as('count'))
    .where((by) =>
      by.or([by('state', '=', 'asked'), by.and([by('state', '=', 'waiting'), by('opens_ms', '<=', BigInt(now))])]),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds a recovery by its id, without locking it. */
export async function findRecovery(db: Db, id: string): Promise<Recovery | null> {
  const row = await recoveries(db).where('r.id', '=', id).executeTakeFirst()
  return row ? toRecovery(row) : null
}

/** Locks a recovery, so that only one transaction at a time can confirm, stop or finish it. */
export async function lockRecovery(tx: Tx, id: string): Promise<Recovery | null> {
  const row = await recoveries(tx).where('r.id', '=', id).forUpdate('r').executeTakeFirst()
  return row ? toRecovery(row) : null
}

/** Finds the recovery of a user's account that is confirmed and has not ended. */
export async function findWaitingRecovery(db: Db | Tx, userId: string): Promise<Recovery | null> {
  const row = await recoveries(db).where('r.user_id', '=', userId).where('r.state', '=', 'waiting').executeTakeFirst()
  return row ? toRecovery(row) : null
}

/**
 * Finds the recovery that a link belongs to. Null when the link does not work now. With `isLocked`, locks the recovery,
 * so that a stop waits until this transaction ends.
 */
export async function findRecoveryByLink(
  db: Db | Tx,
  {
    linkHash,
    now,
    isLocked = false,
  }: { readonly linkHash: Uint8Array; readonly now: Instant; readonly isLocked?: boolean },
): Promise<Recovery | null> {
  const row = await recoveries(db)
    .where('r.link_hash', '=', Buffer.from(linkHash))
    .where('r.state', '=', 'waiting')
    .where('r.link_until_ms', '>', BigInt(now))
    .$if(isLocked, (one) => one.forUpdate('r'))
    .executeTakeFirst()
  return row ? toRecovery(row) : null
}

/** The caller must hold the lock. */
export async function markConfirmed(
  tx: Tx,
  { userId, id }: Pick<Recovery, 'userId' | 'id'>,
  confirmed: { readonly by: string; readonly at: Instant; readonly opensAt: Instant; readonly mark: string },
): Promise<void> {
  await tx
    .updateTable('account_recovery')
    .set({
      state: 'waiting',
      confirmed_by: confirmed.by,
      confirmed_ms: confirmed.at,
      opens_ms: confirmed.opensAt,
      mark: confirmed.mark,
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Stores a new link. Earlier links of this recovery stop working. The caller must hold the lock of `lockRecovery`. */
export async function saveLink(
  tx: Tx,
  { userId, id }: Pick<Recovery, 'userId' | 'id'>,
  link: { readonly hash: Uint8Array; readonly until: Instant },
): Promise<void> {
  await tx
    .updateTable('account_recovery')
    .set({ link_hash: link.hash, link_until_ms: link.until })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Ends a recovery as done or stopped. The caller must hold the lock of the recovery. */
export async function endRecovery(
  tx: Tx,
  { userId, id }: Pick<Recovery, 'userId' | 'id'>,
  end: { readonly state: 'done' | 'stopped'; readonly by: string; readonly at: Instant },
): Promise<void> {
  await tx
    .updateTable('account_recovery')
    .set({ state: end.state, ended_by: end.by, ended_ms: end.at })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Stops every recovery that has not ended, after the database was restored from a backup. */
export async function stopAllRecoveries(tx: Tx, at: Instant): Promise<void> {
  await tx
    .updateTable('account_recovery')
    .set({ state: 'stopped', ended_by: 'restore', ended_ms: at })
    .where('state', 'in', ['asked', 'waiting'])
    .execute()
}

/** Returns the facts of an account that its recovery depends on. Null when no such user exists or the user is a bot. */
export async function findAccountFacts(
  db: Db | Tx,
  userId: string,
): Promise<{ readonly username: string; readonly provenAddress: string | null; readonly hasPin: boolean } | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['username', 'proven_email', 'proven_mobile', 'pin_hash'])
    .where('id', '=', userId)
    .where('is_bot', '=', false)
    .executeTakeFirst()
  if (row === undefined) return null
  const { username, proven_email: email, proven_mobile: mobile, pin_hash: pin } = row
  return { username, provenAddress: email ?? mobile, hasPin: pin !== null }
}

/** Returns which of these references are credited deposits of the user. */
export async function ownDeposits(db: Db | Tx, userId: string, references: readonly string[]): Promise<string[]> {
  if (references.length === 0) return []
  const rows = await db
    .selectFrom('deposit')
    .select('trx')
    .where('user_id', '=', userId)
    .where('status', '=', 1)
    .where('trx', 'in', references)
    .execute()
  return rows.map(({ trx }) => trx)
}

/**
 * Sets the new password and replaces the lost factors. The caller must have ended the recovery in the same transaction.
 */
export async function replaceFactors(
  tx: Tx,
  { userId, lost, newAddress }: Pick<Recovery, 'userId' | 'lost' | 'newAddress'>,
  next: { readonly passwordHash: string; readonly pinHash: string | null; readonly at: Instant },
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({
      password_hash: next.passwordHash,
      ...(next.pinHash !== null && { pin_hash: next.pinHash, pin_changed_ms: next.at }),
      // Another person may own the lost contacts by now, so they must not receive password reset codes any more.
      ...(newAddress !== null && {
        email: newAddress,
        proven_email: newAddress.toLowerCase(),
        proven_mobile: null,
      }),
    })
    .where('id', '=', userId)
    .execute()
  if (lost.includes('second_step')) {
    await tx.deleteFrom('user_authenticator').where('user_id', '=', userId).execute()
    await tx.deleteFrom('user_passkey').where('user_id', '=', userId).execute()
    await tx.deleteFrom('user_recovery_code').where('user_id', '=', userId).execute()
  }
  await tx.deleteFrom('one_time_code').where('user_id', '=', userId).execute()
}

function recoveries(db: Db | Tx) {
  return db
    .selectFrom('account_recovery as r')
    .innerJoin('app_user as u', 'u.id', 'r.user_id')
    .innerJoin('staff as a', 'a.id', 'r.asked_by')
    .leftJoin('staff as c', 'c.id', 'r.confirmed_by')
    .selectAll('r')
    .select([
      'u.username',
      'u.proven_email',
      'u.proven_mobile',
      'a.name as asked_by_name',
      'c.name as confirmed_by_name',
    ])
}

function toRecovery(row: Awaited<ReturnType<ReturnType<typeof recoveries>['execute']>>[number]): Recovery {
  assert(isRecoveryState(row.state), 'the database holds only states of recoveries that exist')
  return {
    userId: row.user_id,
    username: row.username,
    id: row.id,
    lost: row.lost.filter((one) => isLost(one)),
    newAddress: row.new_address,
    provenAddress: row.proven_email ?? row.proven_mobile,
    words: row.words,
    deposits: row.deposits,
    contentHash: row.content_hash,
    requestedBy: row.asked_by,
    requestedByName: row.asked_by_name,
    requestedAt: instant(row.asked_ms),
    requestedFrom: row.asked_from,
    state: row.state,
    confirmedByName: row.confirmed_by_name,
    mark: row.mark,
    opensAt: timeOf(row.opens_ms),
    linkUntil: timeOf(row.link_until_ms),
    closedBy: row.ended_by,
    closedAt: timeOf(row.ended_ms),
  }
}

function timeOf(ms: bigint | null): Instant | null {
  return ms === null ? null : instant(ms)
}
