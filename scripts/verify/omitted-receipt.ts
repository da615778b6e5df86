import { fromHex, sameBytes, toHex } from '#core/proof/bytes.ts'
import type { SignedRoot } from '#core/proof/receipt.ts'
import { hashTree, rootOf } from '#core/proof/hash-tree.ts'
import { receiptsIn } from '#core/register/check-inclusion.ts'
import { entryHash, readEntry } from '#core/register/entry.ts'
import { readEntryTile } from '#core/register/entry-tile.ts'
import { inclusionPath, type LogRoot, type LogTree, rootFromInclusion, TILE_WIDTH } from '#core/register/log-proofs.ts'
import { tilePath } from '#core/register/tile-path.ts'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { CannotCheck } from './check-verdict.ts'

/** 2 minutes: the operator promises that a receipt is in the register within this time after its signature. */
const PROMISE_MS = 2 * MINUTE_MS
/** 12 minutes: no server adds a batch later than ten minutes after its time. */
const LATEST_MS = 12 * MINUTE_MS
/** 10 s: the clocks of two servers differ by less. */
const CLOCKS_MS = 10 * SECOND_MS

/** A register as its site serves it: its tiles, and the lists of batches in its entries. */
export interface ServedRegister {
  readonly state: LogRoot
  readonly tree: LogTree
  readonly readEntries: (path: string) => Promise<Uint8Array>
  readonly readRoots: (index: number) => Promise<readonly string[]>
}

interface Entry {
  readonly index: number
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Searches the register for a batch of receipts: in all entries from its time to twelve minutes later, in the first
 * minute after a longer outage, and in the first entry of a register that began after it. Returns the time of the entry
 * with the batch. Returns 'omitted' when the register has entries from more than two minutes after the batch, but not
 * the batch. Otherwise returns 'early'.
 */
export async function findBatch(
  register: ServedRegister,
  { root, made_ms: madeMs }: Pick<SignedRoot, 'root' | 'made_ms'>,
): Promise<number | 'omitted' | 'early'> {
  let newestMs = 0
  for await (const entry of entriesAround(register, madeMs)) {
    await requireInTree(register, entry)
    const atMs = timeOf(entry)
    newestMs = Math.max(newestMs, atMs ?? 0)
    if (atMs !== null && (await rootsOf(register, entry)).includes(root)) return atMs
  }
  return newestMs > madeMs + PROMISE_MS ? 'omitted' : 'early'
}

async function* entriesAround(register: ServedRegister, madeMs: number): AsyncGenerator<Entry> {
  const { size } = register.state
  const first = await firstTile(register, madeMs - CLOCKS_MS)
  const [genesis] = await entriesOf(register, 0)
  if (first > 0 && genesis !== undefined && (timeOf(genesis) ?? 0) >= madeMs) yield genesis
  let endMs = madeMs + LATEST_MS
  for (let tile = first; tile * TILE_WIDTH < size; tile += 1) {
    for (const entry of await entriesOf(register, tile)) {
      const atMs = timeOf(entry) ?? 0
      if (atMs < madeMs - CLOCKS_MS) continue
      // If the register had an outage after the batch, the first entries after the outage contain all batches from
      // before it. So the search continues for one minute from the first of these entries.
      if (atMs > endMs && endMs === madeMs + LATEST_MS) endMs = atMs + MINUTE_MS
      if (atMs > endMs) return
      yield entry
    }
  }
}

/**
 * Finds the first tile that contains an entry of this time or later, by binary search, as entries are in the order of
 * their times.
 */
async function firstTile(register: ServedRegister, ms: number): Promise<number> {
  let [low, high] = [0, Math.floor((register.state.size - 1) / TILE_WIDTH)]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await newestIn(register, middle)) >= ms) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the newest time in a tile. Announcements have no time, so for a tile with only announcements it returns the
 * newest time of the tile before.
 */
async function newestIn(register: ServedRegister, tile: number): Promise<number> {
  const times = (await entriesOf(register, tile)).map(timeOf).filter((atMs) => atMs !== null)
  return times.length === 0 && tile > 0 ? await newestIn(register, tile - 1) : Math.max(0, ...times)
}

async function entriesOf({ state, readEntries }: ServedRegister, tile: number): Promise<Entry[]> {
  const width = Math.min(TILE_WIDTH, state.size - tile * TILE_WIDTH)
  const texts = readEntryTile(await readEntries(tilePath({ level: 'entries', index: tile, width })))
  if (texts.length !== width) throw new CannotCheck(`The register serves ${texts.length} of ${width} entries.`)
  return texts.map((text, at) => ({ index: tile * TILE_WIDTH + at, text, fields: readEntry(text) ?? {} }))
}

function timeOf({ fields }: Entry): number | null {
  return typeof fields['at_ms'] === 'number' ? fields['at_ms'] : null
}

/** Checks that the entry is in the signed state. */
async function requireInTree({ state, tree }: ServedRegister, { index, text }: Entry): Promise<void> {
  const place = { index, size: state.size, leaf: entryHash(sha256, text) }
  const computed = rootFromInclusion(sha256, place, await inclusionPath(tree, index))
  if (computed === null || !sameBytes(computed, state.root))
    throw new CannotCheck(`Entry ${index} is not an entry of the signed state.`)
}

/** Reads the roots of the batches in an entry, and checks them against the root that the entry names. */
async function rootsOf({ readRoots }: ServedRegister, { index, fields }: Entry): Promise<readonly string[]> {
  const named = receiptsIn(fields)
  if (named === null || named['batches'] === 0) return []
  const roots = await readRoots(index)
  const computed = roots.length === 0 ? null : toHex(rootOf(hashTree(sha256, roots.map(fromHex))))
  if (roots.length !== named['batches'] || computed !== named['root'])
    throw new CannotCheck(`The site does not show the batches of entry ${index}.`)
  return roots
}
