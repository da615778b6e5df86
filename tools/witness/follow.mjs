// Visits a log: fetches its checkpoint and tiles, and reads its entries.
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { checkEntry, emptyFacts } from './entries.mjs'
import { addSubtree, isBy, leafHash, parseNote, refusal, rootOf, TILE_WIDTH, tilePath } from './formats.mjs'
import { idOf, reportOf, save } from './witness.mjs'

/** @typedef {ReturnType<typeof import('./witness.mjs').createWitness>} Witness */
/** @typedef {import('./state.mjs').Log} Log */
/** @typedef {import('./formats.mjs').Note} Note */
/** @typedef {{ size: number, ms: number, lines: Note['lines'], signed: string, before: { size: number, ms: number } }} Served */

const REQUEST_MS = 30_000
const MAX_NOTE_BYTES = 128 * 1024
/** The largest possible tile: 256 entries of the largest size, each preceded by its length in two bytes. */
const MAX_TILE_BYTES = TILE_WIDTH * (2 + 65_535)
const MAX_FINDINGS = 1_000

/** Reads a limited number of bytes. */
export async function readBytes(stream, maxBytes = MAX_NOTE_BYTES) {
  const parts = []
  for await (const part of stream) {
    parts.push(part)
    maxBytes -= part.length
    if (maxBytes < 0) throw refusal(400, 'too many bytes')
  }
  return Buffer.concat(parts)
}

async function fetchBytes(url = '', maxBytes = MAX_NOTE_BYTES, init = {}) {
  const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS), ...init })
  const bytes = await readBytes(response.body ?? [], maxBytes)
  if (!response.ok) throw refusal(response.status, `${url} answers ${response.status}`)
  return bytes
}

/**
 * Fetches the hashes, or entries, of a tile in a tree of this size. Each entry is preceded by its length in two bytes.
 */
async function fetchTile(/** @type {Log} */ { url }, level, index = 0, size = 0) {
  const height = level === 'entries' ? 0 : level
  const width = Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** height) - index * TILE_WIDTH)
  if (width === 0) return []
  const get = (columns = TILE_WIDTH) => fetchBytes(`${url}/${tilePath(level, index, columns)}`, MAX_TILE_BYTES)
  // A log may have removed a partial tile once the full tile exists.
  const bytes = await get(width).catch((error) => (error.status === 404 ? get() : Promise.reject(error)))
  const items = []
  for (let [start, end] = [0, 0]; end < bytes.length; items.push(bytes.subarray(start, end))) {
    start = level === 'entries' ? end + 2 : end
    end = start + (level === 'entries' ? bytes[end] * 256 + bytes[end + 1] : 32)
    if (!(end <= bytes.length)) throw new Error('a tile ends early')
  }
  if (items.length !== width && items.length !== TILE_WIDTH) throw new Error('a tile has the wrong width')
  return items.slice(0, width)
}

/** Whether the tiles contain the known tree, and the new tree as its continuation. */
async function isContinued(/** @type {Log} */ log, /** @type {Note} */ target) {
  const trees = []
  for (let level = 6; level >= 0; level--)
    for (const hash of await fetchTile(log, level, Math.floor(log.size / TILE_WIDTH ** (level + 1)), log.size))
      addSubtree(trees, hash, 8 * level)
  if (!rootOf(trees).equals(parseNote(log.note).root)) return false
  for (let first = log.size - (log.size % TILE_WIDTH); first < target.size; first += TILE_WIDTH) {
    const hashes = await fetchTile(log, 0, first / TILE_WIDTH, target.size)
    for (const hash of hashes.slice(Math.max(0, log.size - first))) addSubtree(trees, hash)
  }
  return rootOf(trees).equals(target.root)
}

/**
 * Fetches a checkpoint, cosigns it and submits the signature line. Notes in `served` which size the log served, when,
 * and with which signatures.
 */
export async function visit(/** @type {Witness} */ witness, origin = '', /** @type {Served} */ served) {
  const ms = Date.now()
  const { url = '' } = witness.logs.get(origin) ?? {}
  const text = (await fetchBytes(`${url}/checkpoint`)).toString()
  const { note, log, signed } = witness.open(text)
  const find = (code = '', what = '') => save(origin, [{ code, text: what, notes: [log.note, signed] }])
  if (log.origin !== origin) throw new Error(`it serves a checkpoint of ${log.origin}`)
  // A cache may serve an older checkpoint for up to a minute.
  if (note.size < log.size && ms > 1000 * log.seconds + 60_000) find('smaller', `size ${note.size} after ${log.size}`)
  if (note.size < log.size) return
  const { lines } = note
  Object.assign(served, { size: note.size, ms, lines, signed, before: { size: served.size, ms: served.ms } })
  const isCosigned = note.lines.some((line) => isBy(witness.key, line))
  if (isCosigned && log.note.startsWith(`${note.text}\n`)) return
  const isGrown = log.size > 0 && note.size > log.size
  if (isGrown && !(await isContinued(log, note))) {
    find('tiles', `the tiles do not lead from size ${log.size} to ${note.size}`)
    throw new Error('the tiles do not lead to the signed root')
  }
  const line = witness.submit(log.size, isGrown ? null : [], text)
  const body = JSON.stringify({ size: note.size, line: line.trimEnd() })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  await fetchBytes(new URL('/api/proof/cosignatures', url).href, MAX_NOTE_BYTES, init)
}

/** Reads the entries up to the newest cosigned checkpoint, from the last full tile on. */
export async function readEntries(
  /** @type {Witness} */ witness,
  origin = '',
  mirrors = false,
  /** @type {Served} */ served,
) {
  const log = /** @type {Log} */ (witness.logs.get(origin))
  const report = reportOf(origin)
  // A mirror that begins later reads everything again, because the older entries were not kept.
  const isNew = report.facts === null || (mirrors && !report.isMirrored)
  const { size: start, facts, trees: stored } = isNew ? { size: 0, facts: emptyFacts(log.keys), trees: [] } : report
  // A state may be signed with the keys that its own entries announce.
  const strange = served.size === start ? strangeKeys(facts, origin, served) : []
  if (strange.length > 0) save(origin, strange)
  if (log.size === start) return
  const { before } = served
  const trees = stored.map(([height, hash]) => ({ height, hash: Buffer.from(hash, 'hex') }))
  let [full, found] = [[...trees], /** @type {any[]} */ ([])]
  for (let first = start - (start % TILE_WIDTH); first < log.size; first += TILE_WIDTH) {
    const entries = await fetchTile(log, 'entries', first / TILE_WIDTH, log.size)
    for (const entry of entries) addSubtree(trees, leafHash(entry))
    if (entries.length === TILE_WIDTH) full = [...trees]
    for (let at = Math.max(start, first); at < first + entries.length; at++) {
      // Only a checkpoint that was fetched from the log shows that an entry did not exist yet. Anyone can submit an old
      // checkpoint.
      const seen = { low: at < before.size ? 0 : before.ms, high: 1000 * (log.seconds + 1) }
      found.push(...checkEntry(facts, origin, at, entries[at - first], seen))
      if (at + 1 === served.size) found.push(...strangeKeys(facts, origin, served))
    }
    found = found.slice(0, MAX_FINDINGS)
    if (mirrors) keepEntries(origin, first / TILE_WIDTH, entries)
  }
  const isSigned = rootOf(trees).equals(parseNote(log.note).root)
  if (!isSigned) found = [{ code: 'tiles', text: `the entries do not lead to size ${log.size}`, notes: [log.note] }]
  const encoded = full.map(({ height, hash }) => [height, hash.toString('hex')])
  const changes = { size: log.size, trees: encoded, facts, isMirrored: mirrors }
  save(origin, found, isSigned ? changes : {})
  if (!isSigned) throw new Error('the entries do not lead to the signed root')
  if (mirrors) keepFile(origin, 'checkpoint', witness.cosigned(log))
}

/** Finds keys that have signed the served state, and that neither its entries nor the user of this witness has named. */
function strangeKeys(/** @type {any} */ { isRegister, keys }, origin = '', /** @type {Served} */ { lines, signed }) {
  const isStrange = ({ name = '', id = '' }) =>
    isRegister && name === origin && !keys.some((/** @type {string} */ key) => key.startsWith(`${name}+${id}+`))
  return lines
    .filter(isStrange)
    .map(({ id }) => ({ code: 'key', text: `key ${id} signs, and the register has not announced it`, notes: [signed] }))
}

/** Stores a tile of entries and its hashes. */
function keepEntries(origin = '', index = 0, /** @type {Buffer[]} */ entries) {
  const pieces = entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry])
  keepFile(origin, tilePath('entries', index, entries.length), Buffer.concat(pieces))
  keepHashes(origin, 0, index, Buffer.concat(entries.map(leafHash)))
}

/** Stores a tile of hashes. A full tile adds its root to the tile of the level above. */
function keepHashes(origin = '', level = 0, index = 0, /** @type {Buffer} */ hashes) {
  keepFile(origin, tilePath(level, index, hashes.length / 32), hashes)
  if (hashes.length < 32 * TILE_WIDTH) return
  const [trees, above, width] = [[], Math.floor(index / TILE_WIDTH), index % TILE_WIDTH]
  for (let at = 0; at < hashes.length; at += 32) addSubtree(trees, hashes.subarray(at, at + 32))
  const begun = width === 0 ? Buffer.of() : fs.readFileSync(fileOf(origin, tilePath(level + 1, above, width)))
  keepHashes(origin, level + 1, above, Buffer.concat([begun, rootOf(trees)]))
}

const fileOf = (origin = '', path = '') => `${idOf(origin)}/mirror/${path}`

/** Writes a file of the mirror, whole or not at all. @param {Buffer | string} content */
function keepFile(origin = '', path = '', content) {
  const file = fileOf(origin, path)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.new`, content)
  fs.renameSync(`${file}.new`, file)
}
