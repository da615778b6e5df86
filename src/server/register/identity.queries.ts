import { sameBytes } from '#core/proof/bytes.ts'
import { makeEntry, readEntry } from '#core/register/entry.ts'
import { formatVerifierKey, type NoteKey, parseVerifierKey } from '#core/register/signed-note.ts'
import { DAY_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { StartUpError } from '#server/platform/runtime/startup-error.ts'
import { addRegisterEntry } from '#server/register/add-entry.queries.ts'
import { noteKeyOf, type RegisterKey } from '#server/register/register-keys.ts'
import { CURRENT_LOG, entriesOfKind } from '#server/register/register.queries.ts'

type Mode = 'demo' | 'live'

export interface RegisterIdentity {
  /** The permanent name of the register. A site that moves to another address keeps its origin. */
  readonly origin: string
  readonly mode: Mode
}

/** A new key and the key before it sign together for 30 days, so that every reader has seen the new key. */
const OVERLAP_MS = 30 * DAY_MS

/**
 * Reads the identity of this installation, or creates it at the first start. Throws when the database belongs to an
 * installation of the other mode.
 */
export async function openIdentity(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  given: RegisterIdentity,
  keys: readonly RegisterKey[],
): Promise<void> {
  const verifierKeys = keys.map((key) => formatVerifierKey(sha256, noteKeyOf(given.origin, key.publicKey)))
  await db
    .insertInto('log_identity')
    .values({ log: 1, ...given, keys: verifierKeys.join('\n'), made_ms: now() })
    .onConflict((conflict) => conflict.column('log').doNothing())
    .execute()
  // Only the row of the first register decides the mode. The server itself adds a row when a register begins again, so
  // later rows do not count.
  const { mode } = await db.selectFrom('log_identity').select('mode').where('log', '=', 1).executeTakeFirstOrThrow()
  if (mode !== given.mode) {
    throw new StartUpError(
      `This database belongs to a ${mode} installation and cannot run in ${given.mode} mode. Use another database, or set FAIRWICK_MODE=${mode}.`,
    )
  }
}

function currentIdentity(db: Db) {
  return db.selectFrom('log_identity').selectAll().where('log', '=', CURRENT_LOG)
}

/** Reads the identity of this installation. Null before the first start of a server that settles. */
export async function readIdentity(db: Db): Promise<RegisterIdentity | null> {
  const row = await currentIdentity(db).executeTakeFirst()
  return row === undefined ? null : { origin: row.origin, mode: row.mode === 'live' ? 'live' : 'demo' }
}

/** A key of the register, and the time since which the key is known. */
interface KnownKey extends NoteKey {
  readonly sinceMs: number
  readonly isRetired: boolean
}

/** Lists the keys that ever signed the register, oldest first. */
export async function knownKeys(db: Db): Promise<readonly KnownKey[]> {
  const identity = await currentIdentity(db).executeTakeFirst()
  if (identity === undefined) return []
  const entries = (await entriesOfKind(db, 'key')).map(({ text }) => readEntry(text))
  const ofRegister = entries.filter((entry) => entry?.['of'] === 'register')
  const announced = ofRegister.filter((entry) => entry?.['event'] === 'made')
  const retired = new Set(ofRegister.filter((entry) => entry?.['event'] === 'retired').map((entry) => entry?.['key']))
  const all = [
    ...identity.keys.split('\n').map((text) => ({ text, sinceMs: Number(identity.made_ms) })),
    ...announced.map((entry) => ({ text: String(entry?.['key']), sinceMs: Number(entry?.['at_ms']) })),
  ]
  return all.flatMap(({ text, sinceMs }) => {
    const key = parseVerifierKey(sha256, text)
    return key === null ? [] : [{ ...key, sinceMs, isRetired: retired.has(text) }]
  })
}

/**
 * Announces new keys and retires old ones. Throws when a key that still has to sign is missing: without its signature,
 * the register would look like another register.
 */
export async function takeKeysIntoUse(ctx: Ctx, keys: readonly RegisterKey[]): Promise<void> {
  const { origin } = await currentIdentity(ctx.db).executeTakeFirstOrThrow()
  const known = await knownKeys(ctx.db)
  const pending = await ctx.db.selectFrom('register_pending').select('text').where('kind', '=', 'key').execute()
  const given = keys.map((key) => noteKeyOf(origin, key.publicKey))
  const isGiven = (key: NoteKey): boolean => given.some((one) => sameBytes(one.publicKey, key.publicKey))
  const isOld = (key: KnownKey): boolean =>
    known.some((other) => isGiven(other) && other.sinceMs > key.sinceMs && ctx.now() - other.sinceMs >= OVERLAP_MS)
  const inUse = known.filter(({ isRetired }) => !isRetired)
  const missing = inUse.filter((key) => !isGiven(key))
  if (missing.some((key) => !isOld(key))) {
    throw new StartUpError(
      'The key of the register is missing or new. FAIRWICK_REGISTER_KEY takes a list: give the new key first, and the old one for 30 more days.',
    )
  }
  const announce = given.filter((key) => !known.some((one) => sameBytes(one.publicKey, key.publicKey)))
  const events = [
    ...announce.map((key) => ({ key, event: 'made' })),
    ...missing.map((key) => ({ key, event: 'retired' })),
  ]
  if (events.length === 0) return
  await ctx.db.transaction().execute(async (tx) => {
    for (const { key, event } of events) {
      const text = formatVerifierKey(sha256, key)
      if (pending.some((one) => one.text.includes(text))) continue
      await addRegisterEntry(ctx, tx, makeEntry('key', { at_ms: ctx.now(), of: 'register', key: text, event }))
    }
  })
}

/**
 * Begins another register under a new name. The old register stays in the database, and the first entry of the new one
 * names it.
 */
export async function beginAgain({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<string> {
  const { log, origin, mode } = await currentIdentity(db).executeTakeFirstOrThrow()
  const next = `${origin.replace(/\/\d+$/, '')}/${log + 1}`
  const inUse = (await knownKeys(db)).filter(({ isRetired }) => !isRetired)
  const keys = inUse.map((key) => formatVerifierKey(sha256, { ...key, name: next })).join('\n')
  await db
    .insertInto('log_identity')
    .values({ log: log + 1, origin: next, mode, keys, made_ms: now() })
    .execute()
  return next
}

/** The last signed state of the previous register. Null when this is the first register. */
export async function stateBefore(db: Db): Promise<{ readonly origin: string; readonly note: string } | null> {
  const row = await db
    .selectFrom('register_checkpoint')
    .innerJoin('log_identity', 'log_identity.log', 'register_checkpoint.log')
    .select(['origin', 'note'])
    .where('register_checkpoint.log', '<', CURRENT_LOG)
    .orderBy('register_checkpoint.log', 'desc')
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
