import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { proofOf, leafOf, rootOf as rootByText, EMPTY_ROOT as EMPTY } from '#test/witness/support/test-log.ts'
import {
  addSubtree,
  checkConsistency,
  cosign,
  leafHash,
  makeKey,
  parseKey,
  parseNote,
  rootOf,
  tilePath,
  verifiedLines,
} from '../../tools/witness/formats.mjs'

/** Inputs, roots and proofs that implementations of certificate transparency publish for RFC 6962. */
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
const PROOFS: readonly (readonly [number, number, readonly string[]])[] = [
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
  [
    6,
    7,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
]
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')
const treeOf = (size: number) => ({ size, root: bytes(ROOTS[size - 1] ?? '') })

/** The roots of 200 leaves by size, computed from the text of the standard. */
const LEAVES = Array.from({ length: 200 }, (_, at) => leafOf(`leaf ${at}`))
const SIZED = Array.from({ length: 201 }, (_, size) => ({ size, root: rootByText(LEAVES.slice(0, size)) }))
const sized = (size: number): { size: number; root: Buffer } => SIZED[size] ?? { size: 0, root: EMPTY }

describe('trees of the witness', () => {
  it.each(ROOTS)('a tree has the root %s, as published for RFC 6962', (root) => {
    const trees: { height: number; hash: Buffer }[] = []
    for (const input of INPUTS.slice(0, ROOTS.indexOf(root) + 1)) addSubtree(trees, leafHash(bytes(input)))
    expect(rootOf(trees).toString('hex')).toBe(root)
  })

  it.each(PROOFS)(
    'the witness accepts the published proof from size %i to %i, and no changed copy of it',
    (from, to, hex) => {
      const proof = hex.map(bytes)
      checkConsistency(treeOf(from), treeOf(to), proof)
      for (const wrong of changesOf(proof, treeOf(from).root)) {
        expect(() => checkConsistency(treeOf(from), treeOf(to), wrong)).toThrow('consistency')
      }
    },
  )

  it('the witness accepts consistency proofs of sizes up to 200, and only between the two right roots', () => {
    for (let to = 0; to <= 200; to++) {
      for (let from = to % 7; from <= to; from += 7) {
        const proof = proofOf(from, LEAVES.slice(0, to))
        checkConsistency(sized(from), sized(to), proof)
        if (from === 0) continue
        const forged = { size: from, root: leafOf(sized(from).root) }
        expect(() => checkConsistency(forged, sized(to), proof)).toThrow('consistency')
        if (from === to) continue
        expect(() => checkConsistency(sized(from), { size: to, root: forged.root }, proof)).toThrow('consistency')
        expect(() => checkConsistency(sized(from - 1), sized(to), proof)).toThrow('consistency')
      }
    }
  })

  it('the witness never accepts a changed proof', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 199 }), fc.integer({ min: 1, max: 200 }))
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(7), ([one, other], place, bit) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const proof = proofOf(from, LEAVES.slice(0, to))
        for (const wrong of changesOf(proof, sized(from).root, place, bit)) {
          expect(() => checkConsistency(sized(from), sized(to), wrong)).toThrow('consistency')
        }
      }),
    )
  })

  it('every tree is consistent with the empty tree, which has only one root and an empty proof', () => {
    checkConsistency(sized(0), sized(0), [])
    checkConsistency(sized(0), sized(9), [])
    expect(() => checkConsistency(sized(0), { size: 0, root: sized(1).root }, [])).toThrow('consistency')
    expect(() => checkConsistency(sized(0), sized(9), [sized(1).root])).toThrow('consistency')
  })

  it.each([
    ['0', 0, 256, 'tile/0/000'],
    [1, 1_234_067, 5, 'tile/1/x001/x234/067.p/5'],
    ['entries', 999, 1, 'tile/entries/999.p/1'],
    ['entries', 1000, 256, 'tile/entries/x001/000'],
  ] as const)('have level %s, tile %i, width %i at %s', (level, index, width, path) => {
    expect(tilePath(level === '0' ? 0 : level, index, width)).toBe(path)
  })
})

/** Returns changed copies of a valid proof, none of which is valid. */
function changesOf(proof: readonly Buffer[], extra: Buffer, place = 0, bit = 4): Buffer[][] {
  const flipped = proof.map((hash, at) => {
    if (at !== place % proof.length) return hash
    const other = Buffer.from(hash)
    other[0] = (other[0] ?? 0) ^ (1 << bit)
    return other
  })
  const longer = [
    [...proof, extra],
    [extra, ...proof],
  ]
  return proof.length === 0 ? longer : [...longer, proof.slice(1), proof.slice(0, -1), [], flipped]
}

const SUMDB_KEY = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
const SUMDB_NOTE =
  'go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n\n' +
  '\u2014 sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n'

describe('notes of the witness', () => {
  it('the published checkpoint of the Go checksum database verifies', () => {
    const note = parseNote(SUMDB_NOTE)
    expect(note).toMatchObject({ origin: 'go.sum database tree', size: 35_225_469 })
    expect(verifiedLines(note, [parseKey(SUMDB_KEY)])).toHaveLength(1)
  })

  it('a note does not verify after a change of any letter', () => {
    const key = parseKey(SUMDB_KEY)
    for (let at = 0; at < SUMDB_NOTE.length; at++) {
      for (const letter of ['A', '1', ' ', '\n', '\u2014']) {
        const changed = SUMDB_NOTE.slice(0, at) + letter + SUMDB_NOTE.slice(at + 1)
        if (changed !== SUMDB_NOTE) expect(accepts(changed, key), JSON.stringify(changed)).toBe(false)
      }
      expect(accepts(SUMDB_NOTE.slice(0, at), key)).toBe(false)
    }
  })

  it('a note does not verify after random damage', () => {
    const key = parseKey(SUMDB_KEY)
    const place = fc.nat(SUMDB_NOTE.length)
    fc.assert(
      fc.property(place, place, fc.string({ unit: 'binary', maxLength: 40 }), (one, other, text) => {
        const changed = SUMDB_NOTE.slice(0, Math.min(one, other)) + text + SUMDB_NOTE.slice(Math.max(one, other))
        // The signature line of another signer may follow the note.
        expect(accepts(changed, key) && !changed.startsWith(SUMDB_NOTE)).toBe(false)
      }),
    )
  })

  it('a note verifies although it has forty signatures of unknown keys', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `\u2014 other.example/${at} ${'Q'.repeat(96)}\n`)
    const note = parseNote(SUMDB_NOTE + lines.join(''))
    expect(note.lines).toHaveLength(41)
    expect(verifiedLines(note, [parseKey(SUMDB_KEY)])).toHaveLength(1)
  })

  it('a note fails as a whole when the signature line of a known key does not verify', () => {
    const bad = SUMDB_NOTE.split('\n').at(-2)?.replace('9HHO', '9HHP') ?? ''
    expect(() => verifiedLines(parseNote(`${SUMDB_NOTE}${bad}\n`), [parseKey(SUMDB_KEY)])).toThrow('does not verify')
  })

  it.each([
    ['', 'nothing'],
    ['a+00000000+AAAA', 'another length'],
    [SUMDB_KEY.replace('033de0ae', '033de0af'), 'another id'],
    [SUMDB_KEY.replace('golang', 'golant'), 'another name'],
    [SUMDB_KEY.replace('+Ac4', '+BM4'), 'another type'],
  ])('refuse %j as key: %s', (text) => {
    expect(() => parseKey(text)).toThrow(/malformed|no Ed25519 key/)
  })

  it('a note gets the same cosignature within the same second, and another cosignature in a later second', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = makeKey('w.example', Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
    const line = cosign(key, privateKey, 'a\n1\nb\n', 1_700_000_000)
    expect(cosign(key, privateKey, 'a\n1\nb\n', 1_700_000_000)).toBe(line)
    expect(cosign(key, privateKey, 'a\n1\nb\n', 1_700_000_001)).not.toBe(line)
  })
})

function accepts(text: string, key: ReturnType<typeof parseKey>): boolean {
  try {
    const note = parseNote(text)
    return note.origin === 'go.sum database tree' && verifiedLines(note, [key]).length > 0
  } catch {
    return false
  }
}
