import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'

/** The end of the log. A copy that is stored elsewhere can later reveal that entries were cut off. */
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
 * `changed`: its content differs. `moved`: it does not follow the entry before, so entries are missing or were
 * inserted. `unchained`: it was written past the chain. `cut`: a known entry is missing.
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
 * With `known`, an end that was stored earlier, it also detects entries that were cut off at the end.
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
      if (hash !== hex(line.hash)) return broken('changed')
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

/** Reads the entries in the text form that the database hashed. The migration `audit-chain` defines it. */
async function readLines(db: Db, afterSeq: number) {
  const { rows } = await sql<{
    seq: bigint
    id: string
    previous_hash: Uint8Array
    hash: Uint8Array
    content: string
  }>`
    select seq, id, previous_hash, hash,
      jsonb_build_array(seq, id, at_ms, who, what, target, reason, outcome, before, after, staff_id, request_id,
        address)::text as content
    from admin_action where seq > ${afterSeq} order by seq limit ${LINES_PER_READ}`.execute(db)
  return rows
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
