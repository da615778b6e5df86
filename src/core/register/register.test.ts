import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiBytes, fromBase64, fromHex, joinBytes, type Sha256, toBase64, toHex } from '#core/proof/bytes.ts'
import type { CheckTools } from '#core/proof/check-signature.ts'
import { hashTree, leafHash, rootOf } from '#core/proof/hash-tree.ts'
import { checkpointText, parseCheckpoint } from '#core/register/checkpoint.ts'
import {
  consistencyProof,
  inclusionPath,
  isConsistent,
  type LogTree,
  rootFromInclusion,
  rootOfLog,
  TILE_WIDTH,
} from '#core/register/log-proofs.ts'
import { checkLine, cosignedText, logLine, openNote, witnessLine } from '#core/register/open-note.ts'
import { formatProof, parseProof } from '#core/register/proof-file.ts'
import {
  formatNote,
  formatVerifierKey,
  KEY_TYPES,
  type KeyType,
  parseNote,
  parseVerifierKey,
} from '#core/register/signed-note.ts'
import { parseTilePath, tilePath } from '#core/register/tile-path.ts'

const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())
const tools: CheckTools = {
  sha256,
  verify: (publicKey, signature, message) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
    return verify(null, message, createPublicKey({ key: jwk, format: 'jwk' }), signature)
  },
}

function leavesOf(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => leafHash(sha256, asciiBytes(`entry ${at}`)))
}

/** A log in memory. It refuses to read hashes that the tiles of its size do not have. */
function treeOf(leaves: readonly Uint8Array[]): LogTree {
  const readTile = (level: number, index: number, width: number): Promise<Uint8Array> => {
    const reach = TILE_WIDTH ** level
    const hashes = Array.from({ length: width }, (_, at) => {
      const first = (index * TILE_WIDTH + at) * reach
      expect(first + reach).toBeLessThanOrEqual(leaves.length)
      return rootOf(hashTree(sha256, leaves.slice(first, first + reach)))
    })
    return Promise.resolve(joinBytes(...hashes))
  }
  return { sha256, size: leaves.length, readTile }
}

const ALL_LEAVES = leavesOf(700)
const rootsBySize = (size: number): Uint8Array => rootOf(hashTree(sha256, ALL_LEAVES.slice(0, size)))
const sizes = fc.integer({ min: 1, max: ALL_LEAVES.length })

describe('tree', () => {
  /** The inputs and roots that implementations of certificate transparency publish for RFC 6962. */
  const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const ROOTS = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]

  it.each(ROOTS)('the tree has the root %s that the published vectors of RFC 6962 give', async (root) => {
    const count = ROOTS.indexOf(root) + 1
    const leaves = INPUTS.slice(0, count).map((input) => leafHash(sha256, fromHex(input)))
    expect(toHex(await rootOfLog(treeOf(leaves)))).toBe(root)
  })

  it('an empty tree has the hash of an empty text as its root', async () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(toHex(await rootOfLog(treeOf([])))).toBe(empty)
  })

  it('a path proves an entry only at the index of the entry and under the root of its tree', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, some, other) => {
        const [index, wrong] = [some % size, other % size]
        const tree = treeOf(ALL_LEAVES.slice(0, size))
        const leaf = ALL_LEAVES[index] ?? new Uint8Array()
        const path = await inclusionPath(tree, index)
        const root = rootFromInclusion(sha256, { index, size, leaf }, path)
        expect(root && toHex(root)).toBe(toHex(rootsBySize(size)))
        const elsewhere = rootFromInclusion(sha256, { index: wrong, size, leaf }, path)
        if (wrong !== index) expect(elsewhere && toHex(elsewhere)).not.toBe(toHex(rootsBySize(size)))
        expect(rootFromInclusion(sha256, { index, size, leaf }, [...path, leaf])).toBeNull()
      }),
      { numRuns: 60 },
    )
  })

  it('a tree proves that it begins with each smaller tree, and with no other tree', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, some, damaged) => {
        const oldSize = some % (size + 1)
        const newer = { size, root: rootsBySize(size) }
        const older = { size: oldSize, root: oldSize === 0 ? sha256(new Uint8Array()) : rootsBySize(oldSize) }
        const proof = await consistencyProof(treeOf(ALL_LEAVES.slice(0, size)), oldSize)
        expect(isConsistent(sha256, older, newer, proof)).toBe(true)
        const forged = { size: oldSize, root: sha256(older.root) }
        expect(isConsistent(sha256, forged, newer, proof)).toBe(false)
        expect(isConsistent(sha256, older, { size, root: sha256(newer.root) }, proof)).toBe(oldSize === 0 && size > 0)
        if (proof.length === 0) return
        const other = proof.map((hash, at) => (at === damaged % proof.length ? sha256(hash) : hash))
        expect(isConsistent(sha256, older, newer, other)).toBe(false)
        expect(isConsistent(sha256, older, newer, proof.slice(1))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})

describe('addresses of tiles', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 1_234_067, width: 5 }, 'tile/1/x001/x234/067.p/5'],
    [{ level: 'entries', index: 999, width: 1 }, 'tile/entries/999.p/1'],
    [{ level: 'entries', index: 1000, width: 256 }, 'tile/entries/x001/000'],
  ] as const)('%o is %s', (place, path) => {
    expect(tilePath(place)).toBe(path)
    expect(parseTilePath(path)).toEqual(place)
  })

  it.each([
    'tile/0/0',
    'tile/0/x000/001',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/9/000',
    'tile/0/000/',
    'tile/a/000',
  ])('%s is not an address', (path) => {
    expect(parseTilePath(path)).toBeNull()
  })
})

describe('the code for signed notes', () => {
  const keyOf = (name: string, type: KeyType) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const x = publicKey.export({ format: 'jwk' }).x ?? ''
    return { privateKey, key: { name, type, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) } }
  }
  const log = keyOf('example.com/register', KEY_TYPES.log)
  const witness = keyOf('a-witness', KEY_TYPES.witness)
  const checkpoint = { origin: log.key.name, size: 7, root: rootsBySize(7) }
  const text = checkpointText(checkpoint)
  const own = logLine(sha256, log.key, sign(null, asciiBytes(text), log.privateKey))
  const cosigned = witnessLine(
    sha256,
    witness.key,
    1_800_000_000,
    sign(null, asciiBytes(cosignedText(text, 1_800_000_000)), witness.privateKey),
  )
  const note = formatNote({ text, lines: [own, cosigned] })

  it('the code verifies the published example of the Go package note', () => {
    const key = parseVerifierKey(sha256, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')
    const example = parseNote(
      'If you think cryptography is the answer to your problem,\n' +
        "then you don't know what your problem is.\n\n" +
        '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
    )
    const [line] = example?.lines ?? []
    expect(key && line && example && checkLine(tools, example.text, key, line)).toMatchObject({ seconds: null })
  })

  it('the code opens a checkpoint with the signatures of known keys', () => {
    expect(openNote(tools, note, [log.key, witness.key])).toMatchObject({
      checkpoint,
      signatures: [
        { key: log.key, seconds: null },
        { key: witness.key, seconds: 1_800_000_000 },
      ],
    })
    expect(openNote(tools, note, [log.key])).toMatchObject({ signatures: [{ key: log.key }] })
    expect(openNote(tools, note, [witness.key])).toBe('note_unsigned')
  })

  it('the code accepts no key of a witness as the key of the log, and no key under another name', () => {
    const puppet = keyOf(log.key.name, KEY_TYPES.witness)
    const line = witnessLine(sha256, puppet.key, 5, sign(null, asciiBytes(cosignedText(text, 5)), puppet.privateKey))
    expect(openNote(tools, formatNote({ text, lines: [line] }), [log.key, puppet.key])).toBe('note_unsigned')
    const stranger = keyOf('example.org/register', KEY_TYPES.log)
    const foreign = logLine(sha256, stranger.key, sign(null, asciiBytes(text), stranger.privateKey))
    expect(openNote(tools, formatNote({ text, lines: [foreign] }), [stranger.key])).toBe('note_unsigned')
  })

  it('the code never accepts a note with one changed, missing or added character', () => {
    const isSafe = (changed: string): boolean => {
      const opened = openNote(tools, changed, [log.key, witness.key])
      if (typeof opened === 'string') return true
      // A line with a damaged name or id has an unknown key, so it is ignored.
      return opened.text === text && opened.signatures.length === (changed === note ? 2 : 1)
    }
    const letters = fc.constantFrom('', 'A', '=', '\n', ' ', '0', '—')
    const property = fc.property(fc.nat(note.length - 1), letters, fc.boolean(), (at, letter, adds) =>
      isSafe(note.slice(0, at) + letter + note.slice(adds ? at : at + 1)),
    )
    expect(fc.check(property, { numRuns: 500 })).toMatchObject({ failed: false })
  })

  it('the code reads a key from its text form, and refuses a key with a wrong id', () => {
    const written = formatVerifierKey(sha256, log.key)
    expect(parseVerifierKey(sha256, written)).toEqual(log.key)
    const [name, , content] = written.split('+')
    for (const wrong of ['', 'a', `${name}+00000000+${content}`, written.slice(0, -4), `x${written}`])
      expect(parseVerifierKey(sha256, wrong), wrong).toBeNull()
  })

  it.each(['', 'a\n1\n', 'a\n01\nAA==\n', 'a\n-1\nAA==\n', 'a\n1\nAA==\n', `${text}more\n`])(
    '%j is not a checkpoint',
    (wrong) => {
      expect(parseCheckpoint(wrong)).toBeNull()
    },
  )

  it('the code writes a file of a proof and reads it back', () => {
    const proof = { index: 3, path: [rootsBySize(1), rootsBySize(2)], note }
    const written = formatProof(proof)
    expect(parseProof(written)).toEqual(proof)
    const [first, ...rest] = written.split('\n')
    expect(parseProof([first, 'extra AAAA', ...rest].join('\n'))).toEqual(proof)
    for (const wrong of ['', note, written.replace('index 3', 'index 03'), written.replace('@v1', '@v2')])
      expect(parseProof(wrong)).toBeNull()
  })

  it('toBase64 encodes bytes as Node.js does, and decodes only the form that Node.js writes', () => {
    for (let length = 0; length < 20; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 67 + length * 41) % 256)
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
      expect(fromBase64(toBase64(bytes))).toEqual(bytes)
    }
    for (const text of ['A', 'AA', 'AA=', 'AB==', 'A===', '====', 'AA-A', 'A=AA'])
      expect(fromBase64(text), text).toBeNull()
  })
})
