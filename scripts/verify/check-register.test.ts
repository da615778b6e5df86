import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asciiBytes, joinBytes } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { type LogTree, rootOfLog } from '#core/register/log-proofs.ts'
import { cosignedText, logLine, witnessLine } from '#core/register/open-note.ts'
import { readPolicy } from '#core/register/policy.ts'
import { formatNote, formatVerifierKey, KEY_TYPES, type KeyType, type NoteKey } from '#core/register/signed-note.ts'
import { parseTilePath } from '#core/register/tile-path.ts'
import { sha256 } from '#server/platform/runtime/sha256.ts'
import { checkRegister } from './check-register.ts'

interface Signer {
  readonly key: NoteKey
  readonly privateKey: KeyObject
}

function newSigner(name: string, type: KeyType): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const x = publicKey.export({ format: 'jwk' }).x ?? ''
  return { privateKey, key: { name, type, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) } }
}

const log = newSigner('trade.example.com/register', KEY_TYPES.log)
const earlierLog = newSigner('trade.example.com/register/1', KEY_TYPES.log)
const [one, two, three] = ['one', 'two', 'three'].map((name) => newSigner(name, KEY_TYPES.witness)) as [
  Signer,
  Signer,
  Signer,
]
const textOf = ({ key }: Signer): string => formatVerifierKey(sha256, key)
const POLICY = [
  '# whom I trust',
  `log ${textOf(log)} https://trade.example.com/register`,
  `log ${textOf(earlierLog)}`,
  `witness W1 ${textOf(one)}`,
  `\twitness W2 ${textOf(two)}`,
  `witness W3 ${textOf(three)}`,
  'group friends 2 W1 W2 W3',
  'quorum friends',
].join('\n')

function treeOf(word: string, size: number): LogTree {
  const hashes = (first: number, width: number): Uint8Array =>
    joinBytes(...Array.from({ length: width }, (_, at) => leafHash(sha256, asciiBytes(`${word} ${first + at}`))))
  return { sha256, size, readTile: (_, index, width) => Promise.resolve(hashes(256 * index, width)) }
}

async function noteOf(word: string, size: number, witnesses: readonly Signer[], by = log): Promise<string> {
  const text = checkpointText({ origin: by.key.name, size, root: await rootOfLog(treeOf(word, size)) })
  const own = logLine(sha256, by.key, sign(null, asciiBytes(text), by.privateKey))
  const cosigned = witnesses.map(({ key, privateKey }) =>
    witnessLine(sha256, key, 9, sign(null, asciiBytes(cosignedText(text, 9)), privateKey)),
  )
  return formatNote({ text, lines: [own, ...cosigned] })
}

let folder: string
let server: Server
let url: string
/** The older signed state that a cache serves; null when there is none. */
let cached: string | null = null
const waits: number[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fairwick-check-register-'))
  writeFileSync(join(folder, 'policy'), POLICY)
  const newest = await noteOf('entry', 20, [one, two])
  server = createServer((request, response) => {
    if (request.url === '/checkpoint') return response.end(cached ?? newest)
    const place = parseTilePath(request.url?.slice(1) ?? '')
    if (place === null || place.level !== 0 || place.width > 20) return response.writeHead(404).end()
    // A dishonest server knows from the width for which state the hashes are, and answers from the register it showed.
    return void treeOf(place.width === 7 ? 'other' : 'entry', 20)
      .readTile(0, place.index, place.width)
      .then((hashes) => response.end(hashes))
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function check(notes: readonly string[], ...more: string[]) {
  const files = notes.map((note, at) => {
    const file = join(folder, `note-${at}`)
    writeFileSync(file, note)
    return file
  })
  const { exitCode, lines } = await checkRegister(['--policy', join(folder, 'policy'), ...more, ...files], {
    wait: (ms) => {
      waits.push(ms)
      cached = null
      return Promise.resolve()
    },
  })
  return { exitCode, text: lines.join('\n') }
}

it('the register check accepts states that a quorum of witnesses has signed and that the register still contains', async () => {
  const notes = [await noteOf('entry', 7, [one, three]), await noteOf('entry', 20, [one, two, three])]
  expect(await check(notes)).toMatchObject({ exitCode: 0 })
  expect(await check(notes, '--from', url)).toMatchObject({ exitCode: 0 })
})

it("A43: attack: puppet witnesses: refuses a state that too few of the policy's own witnesses have signed", async () => {
  const puppet = newSigner('one', KEY_TYPES.witness)
  expect(await check([await noteOf('entry', 7, [one, puppet])])).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/too few witnesses/),
  })
  expect(await check([await noteOf('entry', 7, [])])).toMatchObject({ exitCode: 1 })
})

it('A39: attack: two logs for two users: reports two states of one size, or entries missing from the register, as proof', async () => {
  const [own, other] = [await noteOf('entry', 7, [one, two]), await noteOf('other', 7, [one, two])]
  expect(await check([own, other])).toMatchObject({ exitCode: 1, text: expect.stringMatching(/exclude each other/) })
  expect(await check([other], '--from', url)).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/had other entries/),
  })
})

it('A39: attack: a register that was cut back: reports a signed state with more entries than the register serves', async () => {
  expect(await check([await noteOf('entry', 25, [one, two])], '--from', url)).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/has only 20 entries now/),
  })
})

it('F8: a cache that serves the state of a moment ago is given a minute before a newer signed state counts as a difference', async () => {
  const newer = await noteOf('entry', 20, [one, two])
  cached = await noteOf('entry', 11, [one, two])
  waits.length = 0
  expect(await check([newer], '--from', url)).toMatchObject({ exitCode: 0 })
  expect(await check([newer], '--from', url)).toMatchObject({ exitCode: 0 })
  expect(waits).toEqual([60_000])
})

it('A39: attack: states of two registers: a state of another register is neither accepted nor reported as a contradiction', async () => {
  const note = await noteOf('entry', 7, [one, two], earlierLog)
  expect(await check([note], '--from', url)).toMatchObject({
    exitCode: 2,
    text: expect.stringMatching(/is a state of trade.example.com\/register\/1, which cannot be compared/),
  })
  const forged = await noteOf('other', 7, [one, two])
  expect(await check([note, forged], '--from', url)).toMatchObject({ exitCode: 1 })
})

it('the register check reports what it cannot check', async () => {
  const note = await noteOf('entry', 7, [one, two])
  expect(await check([note.replace('7', '8')])).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/a signature is wrong/),
  })
  expect(await check([note], '--from', `${url}/nowhere`)).toMatchObject({
    exitCode: 2,
    text: expect.stringMatching(/answers 404/),
  })
  expect(await checkRegister([])).toMatchObject({ exitCode: 2 })
  expect(await checkRegister(['--policy', '/nowhere', '/nowhere'])).toMatchObject({ exitCode: 2 })
})

it.each([
  ['no quorum', `log ${textOf(log)}`, 0],
  ['an unknown line', 'logs x', 1],
  ['a witness as a log', `log ${textOf(one)}`, 1],
  ['one key twice', `witness A ${textOf(one)}\nwitness B ${textOf(one)}`, 2],
  ['one name twice', `witness A ${textOf(one)}\nwitness A ${textOf(two)}`, 2],
  ['a group of an unknown name', `witness A ${textOf(one)}\ngroup G any A B`, 2],
  ['a witness in two groups', `witness A ${textOf(one)}\ngroup G any A\ngroup H any A`, 3],
  ['a group that needs more than it has', `witness A ${textOf(one)}\ngroup G 2 A`, 2],
  ['two quorums', 'quorum none\nquorum none', 2],
  ['a quorum that is defined later', `quorum A\nwitness A ${textOf(one)}`, 1],
])('the register check refuses a policy with %s', (_, text, line) => {
  expect(readPolicy(sha256, text)).toEqual({ line })
})
