import { TERMS_PARTS, type TermsEntry, type TermsPart, termsText } from '#core/markets/terms/terms-entry.ts'
import { FIRST_TERMS_LOGGED_MS } from '#core/markets/terms/terms-limits.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { toHex } from '#core/proof/bytes.ts'
import { entryHash } from '#core/register/entry.ts'
import { assert } from '#core/result.ts'
import { instant } from '#core/time/instant.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'

/** Reads the whole history. It stays small: an installation announces some hundred changes in several years. */
export async function readTermsHistory(db: Db): Promise<TermsHistory> {
  const columns = ['n', 'kind', 'subject', 'value', 'announced_ms', 'applies_ms'] as const
  const rows = await db.selectFrom('terms_entry').select(columns).orderBy('n').execute()
  return new TermsHistory(
    rows.map((row) => ({
      n: Number(row.n),
      what: toPart(row.kind),
      of: row.subject,
      value: row.value,
      announcedAt: instant(row.announced_ms),
      appliesAt: instant(row.applies_ms),
    })),
  )
}

/** Reads the hash of each entry, by its number. */
export async function readTermsHashes(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('terms_entry').select(['n', 'hash']).execute()
  return new Map(rows.map(({ n, hash }) => [Number(n), toHex(hash)]))
}

/** Finds the number and the hash of the newest entry. Null before the first. */
export async function newestTermsLink(db: Db): Promise<{ readonly n: number; readonly hash: string } | null> {
  const row = await db.selectFrom('terms_entry').select(['n', 'hash']).orderBy('n', 'desc').limit(1).executeTakeFirst()
  return row === undefined ? null : { n: Number(row.n), hash: toHex(row.hash) }
}

/**
 * Finds when the first terms that are missing from the register take effect. Infinity when the register has all terms.
 * The register adds entries together with the checkpoint that contains them.
 */
export async function unloggedTermsFrom(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('terms_entry as t')
    .select(['t.announced_ms', 't.applies_ms'])
    .where((query) =>
      query.not(
        query.exists(
          query
            .selectFrom('register_entry as e')
            .select('e.index')
            .where('e.kind', '=', 'terms')
            .whereRef('e.leaf', '=', 't.hash'),
        ),
      ),
    )
    .execute()
  const moments = rows.map(({ announced_ms: announced, applies_ms: applies }) =>
    applies === announced ? Number(announced) + FIRST_TERMS_LOGGED_MS : Number(applies),
  )
  return Math.min(Number.POSITIVE_INFINITY, ...moments)
}

/** Reads the texts of entries with a number below `before`, newest first. Null reads from the newest. */
export async function listTermsTexts(db: Db, before: number | null, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('terms_entry')
    .select('text')
    .$if(before !== null, (all) => all.where('n', '<', BigInt(before ?? 0)))
    .orderBy('n', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ text }) => text)
}

/**
 * Makes the other announcements wait until this transaction ends, so that each announcement sees the entry before its
 * own.
 */
export async function lockTerms(tx: Tx): Promise<void> {
  await lockName(tx, 'trade terms')
}

/** Inserts entries. The database refuses one that breaks a rule of the history. */
export async function insertTermsEntries(tx: Tx, entries: readonly TermsEntry[]): Promise<void> {
  const rows = entries.map((entry) => {
    const text = termsText(entry)
    return {
      n: entry.n,
      kind: entry.what,
      subject: entry.of,
      value: entry.value,
      announced_ms: entry.announcedAt,
      applies_ms: entry.appliesAt,
      text,
      hash: entryHash(sha256, text),
    }
  })
  await tx.insertInto('terms_entry').values(rows).execute()
}

/** The hash of an entry as a leaf of the register, in hexadecimal. */
export function termsHash(text: string): string {
  return toHex(entryHash(sha256, text))
}

/** Reads all durations that ever existed. An id always means the same number of seconds. */
export async function readDurations(db: Db): Promise<{ readonly id: number; readonly seconds: number }[]> {
  return await db.selectFrom('trade_setting').select(['id', 'seconds']).orderBy('seconds').execute()
}

/** Lists durations, the shortest first. */
export async function listDurations(db: Db, afterSeconds: number | null, limit: number) {
  return await db
    .selectFrom('trade_setting')
    .select(['id', 'seconds'])
    .$if(afterSeconds !== null, (all) => all.where('seconds', '>', Number(afterSeconds)))
    .orderBy('seconds')
    .limit(limit)
    .execute()
}

/** Lower ids are reserved for durations shipped with the program. */
const OWN_IDS_FROM = 1_001

/** Gives a duration an id, unless it has one. The caller holds the lock of the trade terms. */
export async function ensureDuration(tx: Tx, seconds: number): Promise<void> {
  const known = await readDurations(tx)
  if (known.some((one) => one.seconds === seconds)) return
  const id = Math.max(OWN_IDS_FROM, ...known.map((one) => one.id + 1))
  await tx.insertInto('trade_setting').values({ id, seconds }).execute()
}

function toPart(kind: string): TermsPart {
  const part = TERMS_PARTS.find((one) => one === kind)
  assert(part, `the database has a part of the trade terms that this program does not know: ${kind}`)
  return part
}
