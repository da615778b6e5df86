import { toHex } from '#core/proof/bytes.ts'
import { isLineOf, type NoteSignature } from '#core/register/open-note.ts'
import {
  formatNoteLine,
  formatNote,
  type NoteKey,
  noteKeyId,
  parseNote,
  parseNoteLine,
  parseVerifierKey,
} from '#core/register/signed-note.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CURRENT_LOG, type StoredCheckpoint, toCheckpoint } from '#server/register/register.queries.ts'

/** A party that is asked to cosign the register's checkpoints. */
export interface Witness {
  readonly name: string
  readonly key: NoteKey
  readonly verifierKey: string
  readonly url: string
  readonly everySeconds: number
  readonly runBy: string
  /** Whether the operator itself runs the witness. Such a witness proves nothing to others. */
  readonly isOurs: boolean
  /** When the witness was last asked, and the size of the register that it has cosigned. */
  readonly lastRequestMs: number | null
  readonly size: number | null
  /** The reason that the witness gave, if it did not cosign at the last request. */
  readonly problem: string
}

export async function listWitnesses(db: Db): Promise<Witness[]> {
  const rows = await db.selectFrom('register_witness').selectAll().orderBy('added_ms').orderBy('name').execute()
  return rows.flatMap((row) => {
    const key = parseVerifierKey(sha256, row.verifier_key)
    if (key === null) return []
    return [
      {
        name: row.name,
        key,
        verifierKey: row.verifier_key,
        url: row.url,
        everySeconds: row.every_seconds,
        runBy: row.run_by,
        isOurs: row.is_ours,
        lastRequestMs: row.asked_ms === null ? null : Number(row.asked_ms),
        size: row.size === null ? null : Number(row.size),
        problem: row.problem ?? '',
      },
    ]
  })
}

type NewWitness = Pick<Witness, 'name' | 'verifierKey' | 'url' | 'everySeconds' | 'runBy' | 'isOurs'>

export async function insertWitness(db: Db, witness: NewWitness, nowMs: number): Promise<void> {
  await db
    .insertInto('register_witness')
    .values({
      name: witness.name,
      verifier_key: witness.verifierKey,
      url: witness.url,
      every_seconds: witness.everySeconds,
      run_by: witness.runBy,
      is_ours: witness.isOurs,
      added_ms: nowMs,
    })
    .execute()
}

export async function deleteWitness(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('register_witness').where('name', '=', name).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function noteAnswer(
  db: Db,
  name: string,
  {
    lastRequestMs,
    size,
    problem,
  }: { readonly lastRequestMs: number; readonly size: number | null; readonly problem: string },
): Promise<void> {
  await db
    .updateTable('register_witness')
    .set({ asked_ms: lastRequestMs, problem, ...(size !== null && { size }) })
    .where('name', '=', name)
    .execute()
}

export async function insertCosignature(db: Db, size: number, { key, line, seconds }: NoteSignature): Promise<void> {
  await db
    .insertInto('register_cosignature')
    .values({
      size,
      name: key.name,
      key_id: toHex(noteKeyId(sha256, key)),
      line: formatNoteLine(line).trimEnd(),
      seconds: seconds ?? 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Adds all cosignatures to a checkpoint. */
export async function withCosignatures(db: Db, { size, note }: StoredCheckpoint): Promise<string> {
  const rows = await db
    .selectFrom('register_cosignature')
    .where('log', '=', CURRENT_LOG)
    .select('line')
    .where('size', '=', BigInt(size))
    .orderBy('seconds')
    .execute()
  const read = parseNote(note)
  const lines = rows.map(({ line }) => parseNoteLine(line)).filter((line) => line !== null)
  return read === null ? note : formatNote({ text: read.text, lines: [...read.lines, ...lines] })
}

/** Finds the newest checkpoint of at least this size that has a cosignature. */
export async function cosignedCheckpoint(db: Db, fromSize: number): Promise<StoredCheckpoint | null> {
  const row = await db
    .selectFrom('register_checkpoint as c')
    .selectAll()
    .where('log', '=', CURRENT_LOG)
    .where('size', '>=', BigInt(fromSize))
    .where((row) =>
      row.exists(
        row
          .selectFrom('register_cosignature as w')
          .select('w.size')
          .whereRef('w.log', '=', 'c.log')
          .whereRef('w.size', '=', 'c.size'),
      ),
    )
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toCheckpoint(row)
}

/** Returns the size and time of each witness's newest cosignature, by the name of the witness. */
export async function newestCosignatures(
  db: Db,
): Promise<ReadonlyMap<string, { readonly size: number; readonly seconds: number }>> {
  const rows = await db
    .selectFrom('register_cosignature')
    .where('log', '=', CURRENT_LOG)
    .select(['name', (row) => row.fn.max('size').as('size'), (row) => row.fn.max('seconds').as('seconds')])
    .groupBy('name')
    .execute()
  return new Map(rows.map(({ name, size, seconds }) => [name, { size: Number(size), seconds: Number(seconds) }]))
}

/**
 * The time of a checkpoint by the clock of this installation, and the time of its cosignature by the clock of the
 * witness.
 */
export interface WitnessTime {
  readonly name: string
  readonly checkpointMs: number
  readonly seconds: number
}

/** Lists the newest cosignature of each witness that the operator does not run, for checkpoints made after a time. */
export async function witnessTimes(db: Db, afterMs: number): Promise<WitnessTime[]> {
  const rows = await db
    .selectFrom('register_cosignature as s')
    .innerJoin('register_checkpoint as c', (join) => join.onRef('c.log', '=', 's.log').onRef('c.size', '=', 's.size'))
    .innerJoin('register_witness as w', 'w.name', 's.name')
    .distinctOn('s.name')
    .select(['s.name', 's.seconds', 'c.at_ms'])
    .where('s.log', '=', CURRENT_LOG)
    .where('w.is_ours', '=', false)
    .where('c.at_ms', '>', BigInt(afterMs))
    .orderBy('s.name')
    .orderBy('s.size', 'desc')
    .execute()
  return rows.map(({ name, seconds, at_ms: atMs }) => ({ name, checkpointMs: Number(atMs), seconds: Number(seconds) }))
}

/** Finds the witness that claims to have written a line. */
export function witnessOf(witnesses: readonly Witness[], line: string): Witness | null {
  const read = parseNoteLine(line)
  return read === null ? null : (witnesses.find(({ key }) => isLineOf(sha256, key, read)) ?? null)
}

/** Forgets what witnesses have seen, because a new register begins with nothing. */
export async function forgetSeenSizes(db: Db): Promise<void> {
  await db.updateTable('register_witness').set({ size: null, asked_ms: null, problem: '' }).execute()
}
