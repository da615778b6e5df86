// The published formats: C2SP signed-note, tlog-checkpoint, tlog-cosignature and tlog-tiles, and trees of RFC 6962.
import { createHash, createPublicKey, sign, verify } from 'node:crypto'

/** @typedef {{ name: string, id: string, type: number, publicKey: Buffer, text: string }} Key */
/** @typedef {{ name: string, id: string, bytes: Buffer, text: string }} Line */
/** @typedef {{ text: string, lines: Line[], origin: string, size: number, root: Buffer }} Note */
/** The complete subtrees of a tree, largest first. @typedef {{ height: number, hash: Buffer }[]} Subtrees */

const [LOG_KEY, WITNESS_KEY] = [1, 4]
export const TILE_WIDTH = 256
/** @param {(Buffer | string)[]} parts */
export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
export const EMPTY_ROOT = sha256()
export const leafHash = (/** @type {Buffer} */ entry) => sha256('\0', entry)
const nodeHash = (/** @type {Buffer} */ left, /** @type {Buffer} */ right) => sha256('\x01', left, right)
const cosignedText = (text = '', seconds = 0n) => `cosignature/v1\ntime ${seconds}\n${text}`
/** Whether a line claims to be by a key. */
export const isBy = (/** @type {Key} */ key, /** @type {Line} */ { name, id }) => name === key.name && id === key.id
/** An error whose message is safe to show to callers, with its HTTP status. */
export const refusal = (status = 400, message = '') => Object.assign(new Error(message), { status })

/** Decodes standard base64. Throws when the text is not the canonical encoding of its bytes. */
export function fromBase64(text = '', length = -1) {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') === text && (length < 0 || bytes.length === length)) return bytes
  throw refusal(400, 'malformed base64')
}

/** Reads a number of entries: a decimal without leading zeros. */
export function parseSize(text = '') {
  if (/^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text)
  throw refusal(400, 'malformed size')
}

/** @param {Buffer} publicKey @returns {Key} */
export function makeKey(name = '', publicKey, type = WITNESS_KEY) {
  const content = Buffer.of(type, ...publicKey)
  const id = sha256(`${name}\n`, content).toString('hex', 0, 4)
  return { name, id, type, publicKey, text: `${name}+${id}+${content.toString('base64')}` }
}

/** Reads the key of a log as people exchange it: name+id+base64(type, public key). */
export function parseKey(text = '') {
  const [, name, encoded] = /^([^\s+]+)\+[0-9a-f]{8}\+(\S+)$/u.exec(text) ?? []
  const [type, ...publicKey] = fromBase64(encoded, 33)
  const key = makeKey(name, Buffer.from(publicKey), type)
  if (key.text !== text || type !== LOG_KEY) throw refusal(400, 'this is no Ed25519 key of a log')
  return key
}

/** Reads a signed checkpoint. @returns {Note} */
export function parseNote(text = '') {
  const end = text.lastIndexOf('\n\n')
  const [origin, size, root, ...more] = text.slice(0, Math.max(end, 0)).split('\n')
  const isNote = origin && text.endsWith('\n') && !/(?!\n)\p{Cc}/u.test(text) && !more.includes('')
  if (!isNote) throw refusal(400, 'malformed note')
  const lines = text
    .slice(end + 2, -1)
    .split('\n')
    .map(parseLine)
  return { text: text.slice(0, end + 1), lines, origin, size: parseSize(size), root: fromBase64(root, 32) }
}

function parseLine(text = '') {
  const [, name = '', encoded] = /^\u2014 ([^\s+\u0085]+) (\S+)$/u.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes.length < 5) throw refusal(400, 'malformed signature line')
  return { name, id: bytes.toString('hex', 0, 4), bytes, text: `${text}\n` }
}

/** Returns the lines of these keys. Throws when one of them does not verify. @param {Note} note @param {Key[]} keys */
export function verifiedLines({ text, lines }, keys) {
  return lines.filter((line) => {
    const key = keys.find((one) => isBy(one, line))
    if (key === undefined) return false
    const isTimed = key.type === WITNESS_KEY && line.bytes.length === 76
    const message = Buffer.from(isTimed ? cosignedText(text, line.bytes.readBigUInt64BE(4)) : text)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.publicKey.toString('base64url') }
    const signature = line.bytes.subarray(isTimed ? 12 : 4)
    if (verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)) return true
    throw refusal(403, 'a signature does not verify')
  })
}

/** Writes a witness's line. The same time gives the same line. @param {Key} key @param {any} secret */
export function cosign(key, secret, text = '', seconds = 0) {
  const bytes = Buffer.concat([Buffer.from(key.id, 'hex'), Buffer.alloc(8)])
  bytes.writeBigUInt64BE(BigInt(seconds), 4)
  const signature = sign(null, Buffer.from(cosignedText(text, BigInt(seconds))), secret)
  return `\u2014 ${key.name} ${Buffer.concat([bytes, signature]).toString('base64')}\n`
}

/** Adds a leaf, or a complete subtree that is not higher than the last one. @param {Subtrees} trees */
export function addSubtree(trees, hash, height = 0) {
  for (; trees.at(-1)?.height === height; height++) hash = nodeHash(trees.pop()?.hash ?? hash, hash)
  trees.push({ height, hash })
}

/** @param {Subtrees} trees */
export function rootOf(trees) {
  const hashes = trees.map(({ hash }) => hash)
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** Throws unless a proof shows that a tree begins with an older one (RFC 6962, 2.1.2). @param {Buffer[]} proof */
export function checkConsistency(older, newer, proof) {
  const hashes = [...proof]
  // A missing hash counts as empty, so the computed root matches no tree.
  const next = () => hashes.shift() ?? Buffer.of()
  /** Rebuilds both roots in the order of the proof. @returns {Buffer[]} */
  const rebuild = (old = 0, size = 0, isRoot = true) => {
    if (old === size) return Array(2).fill(isRoot ? older.root : next())
    let left = 1
    while (2 * left < size) left *= 2
    const [one, other] = old <= left ? rebuild(old, left, isRoot) : rebuild(old - left, size - left, false)
    const sibling = next()
    return old <= left ? [one, nodeHash(other, sibling)] : [nodeHash(sibling, one), nodeHash(sibling, other)]
  }
  // Every tree is a continuation of the empty tree.
  const isFirst = older.size === 0 && newer.size > 0
  const [one, other] = isFirst ? [EMPTY_ROOT, newer.root] : rebuild(older.size, newer.size)
  if (hashes.length === 0 && one.equals(older.root) && other.equals(newer.root)) return
  throw refusal(422, 'the consistency proof does not verify')
}

/** The address of a tile below the address of its log. */
export function tilePath(level, index = 0, width = TILE_WIDTH) {
  const digits = String(index).padStart(3 * Math.ceil(String(index).length / 3), '0')
  return `tile/${level}/${digits.replaceAll(/\d{3}(?=\d)/g, 'x$&/')}${width < TILE_WIDTH ? `.p/${width}` : ''}`
}
