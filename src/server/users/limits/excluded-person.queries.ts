import { sql } from 'kysely'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { openDetails, savedDetailsPlace } from '#server/platform/encryption/sealed-details.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'
import { type PersonTrait, detailsTrait, emailTrait, mobileTrait } from '#server/users/limits/person-traits.ts'

/** The proven contacts and the saved payment details of a user. */
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
    ...details.map(({ gateway_id: methodId, details: stored }) =>
      detailsTrait(methodId, openDetails(vault, stored, savedDetailsPlace(userId, methodId))),
    ),
  ]
}

/** Remembers the traits of a user whose exclusion has just begun, as keyed hashes. */
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

/** The exclusion that ends last, by the clock of the database, among those of other users with one of these traits. */
export async function findExclusionOfOthers(
  db: Db,
  vault: Vault,
  own: { readonly userId: string; readonly traits: readonly PersonTrait[] },
): Promise<{ readonly userId: string; readonly breakId: string } | null> {
  const hashes = own.traits.flatMap(({ kind, text }) =>
    vault.fingerprints(text).map((hash) => ({ kind, hash: Buffer.from(hash) })),
  )
  const { rows } = await sql<{ user_id: string; break_id: string }>`
    select e.user_id, e.break_id
    from unnest(${hashes.map(({ kind }) => kind)}::text[], ${hashes.map(({ hash }) => hash)}::bytea[]) t (kind, hash)
    join excluded_person e on e.kind = t.kind and e.hash = t.hash and e.user_id <> ${own.userId}
    join self_break b on b.user_id = e.user_id and b.id = e.break_id
    where b.until_ms > extract(epoch from clock_timestamp()) * 1000
    order by b.until_ms desc limit 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : { userId: row.user_id, breakId: row.break_id }
}

/** Begins an exclusion until the day of another user's, unless a break of the user's own lasts as long. */
export async function insertSameExclusion(
  tx: Tx,
  { userId, id, like }: { userId: string; id: string; like: { readonly userId: string; readonly breakId: string } },
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
