import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/**
 * The number and the hash of the last entry of the audit log. A copy of them that is stored elsewhere can later reveal
 * that the last entries were deleted.
 */
export interface ChainEnd {
  readonly seq: number
  /** The hash of the last entry, in hexadecimal. */
  readonly hash: string
}

export function writeChainEnd({ seq, hash }: ChainEnd): string {
  return `${seq}:${hash}`
}

/** Parses the text of `writeChainEnd`. */
export function readChainEnd(text: string): ChainEnd {
  const [seq = '', hash = ''] = text.split(':')
  return { seq: Number(seq), hash }
}

/**
 * The first invalid entry.
 * `changed`: the content of the entry differs, or its text about a user is missing although the user's data is not
 * erased. `moved`: the entry does not follow the entry before, so entries are missing or were inserted. `unchained`:
 * the entry has no number in the chain. `cut`: a known entry is missing.
 */
export interface BrokenLine {
  readonly seq: number | null
  readonly id: string | null
  readonly why: 'changed' | 'moved' | 'unchained' | 'cut'
}

export interface ChainReport {
  readonly lines: number
  readonly end: ChainEnd | null
  readonly broken: BrokenLine | null
}

const LINES_PER_READ = 2_000

/**
 * Recalculates the chain of the audit log in this process, not in the database, and returns the first invalid entry.
 * With `known`, the last entry at an earlier time, it also detects that the last entries were deleted.
 */
export async function verifyChain(db: Db, known: ChainEnd | null = null): Promise<ChainReport> {
  let end: ChainEnd = { seq: 0, hash: '' }
  let hasKnown = known === null
  const report = (broken: BrokenLine | null): ChainReport => ({
    lines: end.seq,
    end: end.seq === 0 ? null : end,
    broken,
  })
  for (;;) {
    const lines = await readLines(db, end.seq)
    for (const line of lines) {
      const seq = Number(line.seq)
      const broken = (why: BrokenLine['why']) => report({ seq, id: line.id, why })
      if (seq !== end.seq + 1 || hex(line.previous_hash) !== end.hash) return broken('moved')
      const hash = createHash('sha256').update(line.previous_hash).update(line.content).digest('hex')
      if (hash !== hex(line.hash) || !hasItsWords(line)) return broken('changed')
      end = { seq, hash }
      if (known?.seq === seq) {
        if (known.hash !== hash) return broken('changed')
        hasKnown = true
      }
    }
    if (lines.length < LINES_PER_READ) break
  }
  const unchained = await db
    .selectFrom('admin_action')
    .select('id')
    .where('seq', 'is', null)
    .orderBy('at_ms')
    .executeTakeFirst()
  if (unchained) return report({ seq: null, id: unchained.id, why: 'unchained' })
  return report(hasKnown ? null : { seq: known?.seq ?? null, id: null, why: 'cut' })
}

interface LineWords {
  /** The hash of the text about a user. Null for an entry without such a text. */
  readonly words_hash: string | null
  readonly words_erased: boolean
  readonly salt: Uint8Array | null
  readonly words: string | null
}

/** Returns whether the text about a user matches the hash in the chain, or was erased with the user's data. */
function hasItsWords({ words_hash: expected, words_erased: isErased, salt, words }: LineWords): boolean {
  if (expected === null) return words === null
  if (salt === null || words === null) return isErased
  return createHash('sha256').update(salt).update(words).digest('hex') === expected
}

/** Reads the entries in the text form that the database hashed: `admin_action_content` of the migration `baseline`. */
async function readLines(db: Db, afterSeq: number) {
  const { rows } = await sql<
    LineWords & { seq: bigint; id: string; previous_hash: Uint8Array; hash: Uint8Array; content: string }
  >`
    select a.seq, a.id, a.previous_hash, a.hash,
      jsonb_build_array(a.seq, a.id, a.at_ms, a.who, a.what, a.target, a.reason, a.outcome, a.before, a.after, a.staff_id,
        a.request_id, a.address)::text as content,
      case when a.after ?& '{about,sha256}' then a.after ->> 'sha256' end as words_hash,
      exists (select from erased_account e where e.user_id::text = a.after ->> 'about') as words_erased,
      w.salt, case when w.line_id is not null then jsonb_build_array(w.reason, w.before, w.after)::text end as words
    from admin_action a left join admin_action_words w on w.line_id = a.id
    where a.seq > ${afterSeq} order by a.seq limit ${LINES_PER_READ}`.execute(db)
  return rows
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
