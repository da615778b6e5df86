import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { asciiBytes, toBase64 } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { formatEntryTile } from '#core/register/entry-tile.ts'
import { makeEntry } from '#core/register/entry.ts'
import { consistencyProof, type LogTree, rootOfLog } from '#core/register/log-proofs.ts'
import { logLine } from '#core/register/open-note.ts'
import { formatNote, formatVerifierKey, KEY_TYPES, type NoteKey } from '#core/register/signed-note.ts'
import { type FakeAnswer, fakeApi, type SeenRequest } from '#test/support/fake-api.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'

const { sha256 } = BROWSER_TOOLS
export const ORIGIN = 'trade.example.com/register'

/** A key that signs a register, under any name of this register. */
export interface TestKey {
  readonly secret: KeyObject
  readonly publicKey: Uint8Array
}

export function createKey(): TestKey {
  const { privateKey: secret, publicKey } = generateKeyPairSync('ed25519')
  const bytes = new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { secret, publicKey: bytes }
}

const KEY = createKey()

function noteKey({ publicKey }: TestKey, name: string): NoteKey {
  return { name, type: KEY_TYPES.log, publicKey }
}

/** A register whose entries are `<word> 0`, `<word> 1`, … A given first entry replaces the entry `<word> 0`. */
export function treeOf(word: string, size: number, first = `${word} 0`): LogTree & { readonly first: string } {
  const leaf = (at: number): Uint8Array => leafHash(sha256, asciiBytes(at === 0 ? first : `${word} ${at}`))
  const readTile = (_level: number, _index: number, width: number): Promise<Uint8Array> =>
    Promise.resolve(new Uint8Array(Array.from({ length: width }, (_, at) => [...leaf(at)]).flat()))
  return { sha256, size, readTile, first }
}

/** Returns the signed state of a register. */
export async function noteOf(tree: LogTree, origin = ORIGIN, keys: readonly TestKey[] = [KEY]): Promise<string> {
  const text = checkpointText({ origin, size: tree.size, root: await rootOfLog(tree) })
  const lines = keys.map((key) => logLine(sha256, noteKey(key, origin), sign(null, asciiBytes(text), key.secret)))
  return formatNote({ text, lines })
}

/** Returns the first entry of a register that begins again after the state in this note. */
export function genesisAfter(note: string | null, origin = `${ORIGIN}/2`): string {
  const before = note === null ? null : { origin: note.split('\n')[0], note }
  return makeEntry('genesis', { origin, mode: 'live', before }).text
}

interface Serving {
  readonly origin?: string
  readonly keys?: readonly TestKey[]
  /** A reply instead of the proof that one state is the beginning of another. */
  readonly proof?: FakeAnswer
  /** Runs before each reply with a proof. */
  readonly onProof?: () => void
}

/** A server that shows this register. It proves that the entries `entry 0`, `entry 1`, … grow, and nothing else. */
export async function serveRegister(
  tree: ReturnType<typeof treeOf>,
  { origin = ORIGIN, keys = [KEY], proof, onProof }: Serving = {},
): Promise<{ readonly seen: SeenRequest[] }> {
  const note = await noteOf(tree, origin, keys)
  const listed = keys.map((key) => ({
    verifier_key: formatVerifierKey(sha256, noteKey(key, origin)),
    is_retired: false,
  }))
  const newest = { size: tree.size, root: '', at: new Date().toISOString() }
  const data = { origin, mode: 'live', keys: listed, newest, halted_since: null, witnesses: [] }
  const first = tree.first.startsWith('{') ? tree.first : 'entry 0'
  return fakeApi({
    'GET /register/checkpoint': { text: note },
    'GET /register/tile/entries/000.p/1': { bytes: new Uint8Array(formatEntryTile([tree.first])) },
    'GET /proof/register': { body: { data } },
    'GET /proof/register/consistency': async ({ query }) => {
      onProof?.()
      if (proof !== undefined) return proof
      const [from, to] = [Number(query['from']), Number(query['to'])]
      if (to > tree.size) return { status: 422, body: { code: 'register_size' } }
      return { body: { data: { hashes: (await consistencyProof(treeOf('entry', to, first), from)).map(toBase64) } } }
    },
  })
}
