import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { openDetails, savedDetailsPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { type PersonTrait, detailsTraits, emailTrait, mobileTrait } from '#server/users/limits/person-traits.ts'

/** Lists the traits of a user: the proven contacts and the saved payment details. */
export async function listTraits(db: Db, vault: Vault, userId: string): Promise<PersonTrait[]> {
  const user = await db
    .selectFrom('app_user')
    .select(['proven_email', 'proven_mobile'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const details = await db
    .selectFrom('user_withdrawal_method')
    .select(['gateway_id', 'details'])
    .where('user_id', '=', userId)
    .execute()
  return [
    ...(user?.proven_email ? [emailTrait(user.proven_email)] : []),
    ...(user?.proven_mobile ? [mobileTrait(user.proven_mobile)] : []),
    ...details.flatMap(({ gateway_id: methodId, details: stored }) =>
      detailsTraits(methodId, openDetails(vault, stored, savedDetailsPlace(userId, methodId))),
    ),
  ]
}

/** Stores the traits of an excluded user, as keyed hashes. */
export async function insertExcludedPerson(
  tx: Tx,
  vault: Vault,
  own: { readonly userId: string; readonly breakId: string; readonly traits: readonly PersonTrait[] },
): Promise<void> {
  if (own.traits.length === 0) return
  await tx
    .insertInto('excluded_person')
    .values(
      own.traits.map(({ kind, text }) => ({
        kind,
        hash: Buffer.from(vault.fingerprint(text)),
        user_id: own.userId,
        break_id: own.breakId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Waits until no other transaction stores this user's traits, and makes others wait until this transaction ends. */
export async function lockTraits(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(7204131, hashtext(${userId}))`.execute(tx)
}

/** Replaces the stored traits of a user. Each trait is stored as one hash for every known encryption key. */
export async function replaceTraits(
  tx: Tx,
  vault: Vault,
  own: { readonly userId: string; readonly traits: readonly PersonTrait[] },
): Promise<void> {
  await tx.deleteFrom('user_trait').where('user_id', '=', own.userId).execute()
  const rows = own.traits.flatMap(({ kind, text }) =>
    vault
      .fingerprints(text)
      .map((hash) => ({ user_id: own.userId, kind, hash: Buffer.from(hash), key_name: vault.keyName })),
  )
  if (rows.length === 0) return
  await tx
    .insertInto('user_trait')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists up to 500 users, sorted by id, who have traits but no hash made with the newest encryption key. */
export async function listUsersToHash(db: Db, keyName: string, after: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('app_user as u')
    .select('u.id')
    .where(
      sql<boolean>`(u.proven_email is not null or u.proven_mobile is not null
        or exists (select from user_withdrawal_method m where m.user_id = u.id))
      and not exists (select from user_trait t where t.user_id = u.id and t.key_name = ${keyName})`,
    )
    .$if(after !== undefined, (query) => query.where('u.id', '>', after ?? ''))
    .orderBy('u.id')
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}

/** A user who shares a trait with an excluded user. `like` is the excluded user and the exclusion. */
export interface SamePerson {
  readonly userId: string
  readonly like: { readonly userId: string; readonly breakId: string }
}

/**
 * Lists users who share a trait with an excluded user, if the exclusion is in force and ends after every own break of
 * the listed user. Each user is listed with the exclusion that ends last. If `of` is given, lists only pairs that
 * contain this user. Payment details count only for accounts made after the exclusion began. Saved details are not
 * proven, so otherwise an attacker could save another user's details, take an exclusion and so close that user's
 * account.
 */
export async function listSamePeople(db: Db, of: string | null): Promise<SamePerson[]> {
  const { rows } = await sql<{ user_id: string; like_user_id: string; break_id: string }>`
    select distinct on (t.user_id) t.user_id, e.user_id as like_user_id, e.break_id
    from excluded_person e
    join self_break b on b.user_id = e.user_id and b.id = e.break_id
    join user_trait t on t.hash = e.hash and t.kind = e.kind and t.user_id <> e.user_id
    join app_user u on u.id = t.user_id
    where b.until_ms > extract(epoch from clock_timestamp()) * 1000
      and (e.kind <> 'details' or u.created_ms > b.from_ms)
      and (${of}::uuid is null or t.user_id = ${of}::uuid or e.user_id = ${of}::uuid)
      and not exists (select from self_break o where o.user_id = t.user_id and o.until_ms >= b.until_ms)
    order by t.user_id, b.until_ms desc`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, like: { userId: row.like_user_id, breakId: row.break_id } }))
}

/**
 * Inserts an exclusion that ends at the same time as another user's exclusion. Does nothing and returns false when an
 * own break of the user lasts at least as long.
 */
export async function insertSameExclusion(
  tx: Tx,
  { userId, id, like }: SamePerson & { readonly id: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into self_break (user_id, id, kind, length, like_user_id, like_break_id)
    select ${userId}::uuid, ${id}::uuid, kind, length, user_id, id from self_break b
    where user_id = ${like.userId}::uuid and id = ${like.breakId}::uuid
      and not exists (select from self_break o where o.user_id = ${userId}::uuid and o.until_ms >= b.until_ms)`.execute(
    tx,
  )
  return numAffectedRows === 1n
}
