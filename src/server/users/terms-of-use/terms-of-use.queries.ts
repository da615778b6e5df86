import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

/** A version of the terms of use in one language. The clock of the database decides whether a version is in force. */
export interface TermsOfUse {
  readonly version: number
  readonly title: string
  readonly text: string
  readonly summary: string
  readonly sha256: string
  readonly from: Instant
  readonly needsConsent: boolean
  readonly isInForce: boolean
}

/** The text of a version in one language. */
export interface TermsWords {
  readonly title: string
  readonly text: string
  readonly summary: string
}

export interface NewTerms {
  readonly texts: Readonly<Record<string, TermsWords>>
  readonly from: Instant
  readonly needsConsent: boolean
  readonly staffId: string | null
}

const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::int8`

interface Row {
  id: number
  title: string
  text: string
  summary: string
  sha256: string
  from_ms: bigint
  needs_consent: boolean
  is_in_force: boolean
}

/**
 * Returns the columns of a version in a language. If the version has no text in this language, because the language was
 * added later, returns the English text.
 */
function columns(language: Language) {
  return sql`v.id, w.words ->> 'title' as title, w.words ->> 'text' as text, w.words ->> 'summary' as summary,
    terms_sha256(v.texts, w.language) as sha256, v.from_ms, v.needs_consent, v.from_ms <= ${NOW} as is_in_force
    from terms_version v
    cross join lateral (select case when v.texts ? ${language} then ${language} else 'en' end as language) l
    cross join lateral (select l.language, v.texts -> l.language as words) w`
}

/** Returns the version in force, and the next version if one is announced. */
export async function findTermsOfUse(
  db: Db,
  language: Language,
): Promise<{ current: TermsOfUse; upcoming: TermsOfUse | null }> {
  const { rows } = await sql<Row>`
    select ${columns(language)}
    where v.id >= (select max(id) from terms_version where from_ms <= ${NOW}) order by v.id limit 2`.execute(db)
  const [current, upcoming] = rows.map(toTerms)
  if (current === undefined) throw new Error('the first version of the terms is written at the start')
  return { current, upcoming: upcoming ?? null }
}

export async function findTermsVersion(db: Db, version: number, language: Language): Promise<TermsOfUse | null> {
  const { rows } = await sql<Row>`select ${columns(language)} where v.id = ${version}`.execute(db)
  return rows[0] ? toTerms(rows[0]) : null
}

/** Lists the versions, newest first. */
export async function listTermsVersions(
  db: Db,
): Promise<{ version: number; from: Instant; needsConsent: boolean; announcedAt: Instant }[]> {
  const rows = await db
    .selectFrom('terms_version')
    .select(['id', 'from_ms', 'needs_consent', 'announced_ms'])
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    version: row.id,
    from: instant(row.from_ms),
    needsConsent: row.needs_consent,
    announcedAt: instant(row.announced_ms),
  }))
}

/** Adds a version and returns its number. A lock lets only one transaction at a time add a version. */
export async function insertTerms(tx: Tx, { texts, from, needsConsent, staffId }: NewTerms): Promise<number> {
  const { last } = await lastTerms(tx)
  await tx
    .insertInto('terms_version')
    .values({
      id: last + 1,
      texts: JSON.stringify(texts),
      from_ms: from,
      needs_consent: needsConsent,
      staff_id: staffId,
    })
    .execute()
  return last + 1
}

/**
 * Locks the list of versions until the transaction ends. Returns the number and start of the newest version (both 0
 * while there is none), and the time of the database.
 */
export async function lastTerms(tx: Tx): Promise<{ last: number; from: Instant; now: Instant }> {
  await lockName(tx, 'terms_version')
  const { rows } = await sql<{ last: number; from_ms: bigint; now_ms: bigint }>`
    select coalesce(max(id), 0) as last, coalesce(max(from_ms), 0) as from_ms, ${NOW} as now_ms from terms_version`.execute(
    tx,
  )
  const [row] = rows
  return { last: row?.last ?? 0, from: instant(row?.from_ms ?? 0), now: instant(row?.now_ms ?? 0) }
}

/**
 * Stores the user's consent to a text that was shown. The hash identifies the text and its language. If several
 * languages have this text, `language` decides. Returns false when no text in force or announced has this hash.
 * Consenting again changes nothing.
 */
export async function insertConsent(
  db: Db | Tx,
  consent: {
    readonly userId: string
    readonly version: number
    readonly sha256: string
    readonly language: Language
    readonly how: 'sign_up' | 'terms'
  },
): Promise<boolean> {
  const { userId, version, sha256, language, how } = consent
  const { rows } = await sql<{ language: string }>`
    select l.language from terms_version v, jsonb_object_keys(v.texts) as l (language)
    where v.id = ${version} and v.id >= (select max(id) from terms_version where from_ms <= ${NOW})
      and terms_sha256(v.texts, l.language) = ${sha256.toLowerCase()}
    order by l.language <> ${language} limit 1`.execute(db)
  const [shown] = rows
  if (shown === undefined) return false
  await db
    .insertInto('consent')
    .values({ user_id: userId, version, sha256: sha256.toLowerCase(), language: shown.language, how })
    .onConflict((conflict) => conflict.columns(['user_id', 'version']).doNothing())
    .execute()
  return true
}

export interface Consent {
  readonly version: number
  readonly at: Instant
  readonly language: string
  readonly sha256: string
}

/**
 * Returns the newest consent of a user, and whether the user must consent to newer terms before further orders and
 * deposits.
 */
export async function findConsent(db: Db, userId: string): Promise<{ agreed: Consent | null; isNeeded: boolean }> {
  const { rows } = await sql<{
    is_needed: boolean
    version: number | null
    at_ms: bigint
    language: string
    sha256: string
  }>`
    select u.terms_version < terms_to_agree() as is_needed, c.version, c.at_ms, c.language, c.sha256
    from app_user u left join consent c on c.user_id = u.id and c.version = u.terms_version where u.id = ${userId}`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) return { agreed: null, isNeeded: false }
  const { version, at_ms: at, language, sha256, is_needed: isNeeded } = row
  return { isNeeded, agreed: version === null ? null : { version, at: instant(at), language, sha256 } }
}

/** Writes a notice about an announced version to up to `portion` users. Returns the number of these users. */
export async function tellTerms(db: Db, portion: number): Promise<number> {
  const { rows } = await sql<{ told: number }>`select tell_terms(${portion}) as told`.execute(db)
  return rows[0]?.told ?? 0
}

function toTerms(row: Row): TermsOfUse {
  return {
    version: row.id,
    title: row.title,
    text: row.text,
    summary: row.summary,
    sha256: row.sha256,
    from: instant(row.from_ms),
    needsConsent: row.needs_consent,
    isInForce: row.is_in_force,
  }
}
