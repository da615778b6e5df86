import { decodeJwt } from 'jose'
import { fromHex, toHex } from '#core/proof/bytes.ts'
import type { BatchKind } from '#core/proof/receipt.ts'
import { isOfPractice } from '#core/proof/receipt-facts.ts'
import { hashTree, pathOf, rootOf, type Step } from '#core/proof/hash-tree.ts'
import { makeEntry } from '#core/register/entry.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { chunk } from '#server/platform/concurrency/chunk.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import type { GatheredEntry } from '#server/register/close-minute.ts'
import { CURRENT_LOG } from '#server/register/register.queries.ts'

/** A batch of receipts and the root that its signature covers. */
interface BatchRoot {
  readonly id: string
  readonly root: Uint8Array
  readonly count: number
  /** Whether the receipts of the batch are receipts of orders. */
  readonly isOfOrders: boolean
  /** Practice receipts are in the trees, but in no count. */
  readonly isOfPractice: boolean
}

/**
 * Batches made up to 10 minutes before the newest batch in the register are searched too, because a slow database may
 * have stored them late. No batch is stored more than 10 minutes late.
 */
const LOOKS_BACK_MS = 10 * MINUTE_MS

/**
 * Makes an entry from the batches of receipts that are in no entry yet. The entry has one root over the roots of these
 * batches.
 */
export async function gatherReceipts(tx: Tx, nowMs: number): Promise<readonly GatheredEntry[]> {
  // A batch from before the clock was set back may be newer than now.
  const newest = Math.min(await newestInRegister(tx), nowMs)
  const batches = await batchesWithoutEntry(tx, newest - LOOKS_BACK_MS)
  if (batches.length === 0) return []
  const fields = { at_ms: nowMs, ...rootOfBatches(batches), count: receiptsIn(batches) }
  return [{ ...makeEntry('receipts', fields), added: (inTx, index) => noteEntry(inTx, batches, index) }]
}

/**
 * Returns the facts about receipts from before the register began: one root over all older batches, or null without a
 * batch.
 */
export async function receiptsBefore(tx: Tx): Promise<{
  readonly facts: { readonly root: string | null; readonly batches: number; readonly orders: number }
  readonly added: (tx: Tx, index: number) => Promise<void>
}> {
  const batches = await batchesWithoutEntry(tx, 0)
  return {
    facts: batches.length === 0 ? { root: null, batches: 0, orders: 0 } : rootOfBatches(batches),
    added: (inTx, index) => noteEntry(inTx, batches, index),
  }
}

/** Computes the root over the batches, and counts the batches and their receipts of orders. */
function rootOfBatches(batches: readonly BatchRoot[]) {
  const orders = receiptsIn(batches.filter(({ isOfOrders }) => isOfOrders))
  return { root: toHex(rootOf(treeOfBatches(batches))), batches: batches.length, orders }
}

function receiptsIn(batches: readonly BatchRoot[]): number {
  return batches.reduce((sum, { count, isOfPractice }) => (isOfPractice ? sum : sum + count), 0)
}

function treeOfBatches(batches: readonly BatchRoot[]) {
  return hashTree(
    sha256,
    batches.map(({ root }) => root),
  )
}

/** The number of the register entry that contains a batch, and the path from the batch to the root in that entry. */
export interface BatchPlace {
  readonly index: number
  readonly path: readonly Step[]
}

/**
 * Finds the register entry that contains a batch. Null until the register adds its next entry of receipts, usually
 * within a minute.
 */
export async function placeOfBatch(db: Db, batchId: string): Promise<BatchPlace | null> {
  const row = await db
    .selectFrom('register_batch')
    .select('index')
    .where('log', '=', CURRENT_LOG)
    .where('batch_id', '=', batchId)
    .executeTakeFirst()
  if (row === undefined) return null
  const batches = await batchesInEntry(db, Number(row.index))
  const at = batches.findIndex(({ id }) => id === batchId)
  return { index: Number(row.index), path: pathOf(treeOfBatches(batches), at) }
}

/**
 * Returns the roots of the batches in an entry, in the order of the entry's tree. The list is empty for an entry
 * without receipts. The list is also empty for the first entry of a register, if that entry covers more than 2,000
 * batches.
 */
export async function rootsInEntry(db: Db, index: number): Promise<readonly string[]> {
  const batches = await batchesInEntry(db, index, ROOTS_IN_REPLY + 1)
  return batches.length > ROOTS_IN_REPLY ? [] : batches.map(({ root }) => toHex(root))
}

/** A reply has at most 2,000 roots, which is far more than the batches of a minute. */
const ROOTS_IN_REPLY = 2_000

async function batchesInEntry(db: Db, index: number, most?: number): Promise<BatchRoot[]> {
  const rows = await db
    .selectFrom('receipt_batch')
    .innerJoin('register_batch', 'batch_id', 'id')
    .select(['id', 'signature', 'made_ms'])
    .where('log', '=', CURRENT_LOG)
    .where('index', '=', BigInt(index))
    .orderBy('made_ms')
    .orderBy('id')
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute()
  return rows.map(toRoot)
}

/**
 * Returns when the newest batch in the register was made, or 0 without one. This may be long ago, because nothing is
 * added while no server runs or the register is halted.
 */
async function newestInRegister(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('receipt_batch')
    .innerJoin('register_batch', 'batch_id', 'id')
    .select('made_ms')
    .where('log', '=', CURRENT_LOG)
    .orderBy('made_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return Number(row?.made_ms ?? 0)
}

async function batchesWithoutEntry(tx: Tx, fromMs: number): Promise<BatchRoot[]> {
  const rows = await tx
    .selectFrom('receipt_batch')
    .leftJoin('register_batch', (join) => join.onRef('batch_id', '=', 'id').on('log', '=', CURRENT_LOG))
    .select(['id', 'signature'])
    .where('made_ms', '>=', BigInt(fromMs))
    .where('batch_id', 'is', null)
    .orderBy('made_ms')
    .orderBy('id')
    .execute()
  return rows.map(toRoot)
}

function toRoot({ id, signature }: { id: string; signature: string }): BatchRoot {
  const { root, count, kind } = decodeJwt<{ root: string; count: number; kind: BatchKind }>(signature)
  return { id, root: fromHex(root), count, isOfOrders: kind !== 'money', isOfPractice: isOfPractice({ kind }) }
}

async function noteEntry(tx: Tx, batches: readonly BatchRoot[], index: number): Promise<void> {
  const rows = batches.map(({ id }) => ({ batch_id: id, index }))
  // PostgreSQL takes at most 65,535 parameters in one statement.
  for (const some of chunk(rows, ROWS_AT_ONCE)) await tx.insertInto('register_batch').values(some).execute()
}

const ROWS_AT_ONCE = 10_000
