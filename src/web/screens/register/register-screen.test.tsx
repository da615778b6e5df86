import { generateKeyPairSync, sign } from 'node:crypto'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { asciiBytes, toBase64 } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { consistencyProof, type LogTree, rootOfLog } from '#core/register/log-proofs.ts'
import { logLine } from '#core/register/open-note.ts'
import { formatNote, formatVerifierKey, KEY_TYPES } from '#core/register/signed-note.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { lookAtRegister } from '#web/register/look-at-register.ts'
import { forgetSeenStates, seenStates } from '#web/register/seen-states.ts'
import { RegisterScreen } from '#web/screens/register/register-screen.tsx'

const { sha256 } = BROWSER_TOOLS
const ORIGIN = 'trade.example.com/register'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const KEY = {
  name: ORIGIN,
  type: KEY_TYPES.log,
  publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')),
}

beforeEach(() => {
  queryClient.clear()
  forgetSeenStates()
})

/** A register whose entries are `<word> 0`, `<word> 1`, … */
function treeOf(word: string, size: number): LogTree {
  const leaf = (at: number): Uint8Array => leafHash(sha256, asciiBytes(`${word} ${at}`))
  const readTile = (_level: number, _index: number, width: number): Promise<Uint8Array> =>
    Promise.resolve(new Uint8Array(Array.from({ length: width }, (_, at) => [...leaf(at)]).flat()))
  return { sha256, size, readTile }
}

async function noteOf(tree: LogTree, origin = ORIGIN): Promise<string> {
  const text = checkpointText({ origin, size: tree.size, root: await rootOfLog(tree) })
  return formatNote({
    text,
    lines: [logLine(sha256, { ...KEY, name: origin }, sign(null, asciiBytes(text), privateKey))],
  })
}

/** A server that shows this register. */
async function serve(tree: LogTree, origin = ORIGIN) {
  const note = await noteOf(tree, origin)
  const keys = [{ verifier_key: formatVerifierKey(sha256, { ...KEY, name: origin }), is_retired: false }]
  const newest = { size: tree.size, root: '', at: new Date().toISOString() }
  const data = { origin, mode: 'live', keys, newest, halted_since: null, witnesses: [] }
  return fakeApi({
    'GET /register/checkpoint': { text: note },
    'GET /proof/register': { body: { data } },
    'GET /proof/register/consistency': async ({ query }) => {
      const [from, to] = [Number(query['from']), Number(query['to'])]
      if (to > tree.size) return { status: 422, body: { code: 'register_size' } }
      return { body: { data: { hashes: (await consistencyProof(treeOf('entry', to), from)).map(toBase64) } } }
    },
  })
}

test('the page remembers the register states that it has seen, and raises no alarm while the register grows', async () => {
  for (const size of [3, 3, 8, 70]) {
    await serve(treeOf('entry', size))
    await lookAtRegister()
  }
  expect(seenStates()).toMatchObject({ alarm: null, notes: [expect.anything(), expect.anything(), expect.anything()] })
})

test.each([
  ['another tree of the same size', 8, 'other', 8],
  ['a larger tree with other entries', 8, 'other', 20],
  ['a smaller tree', 8, 'entry', 5],
])('A39: attack: two logs for two people: %s raises an alarm that stays', async (_, size, word, nextSize) => {
  await serve(treeOf('entry', size))
  await lookAtRegister()
  await serve(treeOf(word, nextSize))
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
  await serve(treeOf('entry', 30))
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
})

test('a register that was started again is distinguished from a forged register', async () => {
  await serve(treeOf('entry', 8))
  await lookAtRegister()
  await serve(treeOf('entry', 2), `${ORIGIN}/2`)
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'again' })
})

test('a connection that breaks raises no alarm', async () => {
  await serve(treeOf('entry', 8))
  await lookAtRegister()
  const note = await noteOf(treeOf('entry', 20))
  fakeApi({
    'GET /register/checkpoint': { text: note },
    'GET /proof/register': { body: { data: { keys: [] } } },
    'GET /proof/register/consistency': { status: 503, body: {} },
  })
  await lookAtRegister()
  expect(seenStates()).toMatchObject({ alarm: null, notes: [expect.anything()] })
})

test('the page compares the register with a state from another user', async () => {
  await serve(treeOf('entry', 8))
  render(<RegisterScreen />)
  const field = await screen.findByLabelText('State of the other person')
  const compare = async (note: string): Promise<void> => {
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste(note)
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  }
  await compare(await noteOf(treeOf('entry', 5)))
  expect(await screen.findByText('Both states belong to the same register.')).toBeTruthy()
  await compare(await noteOf(treeOf('other', 5)))
  expect(await screen.findByText(/You are shown different registers/)).toBeTruthy()
  await compare('words')
  expect(await screen.findByText('This is not a signed state of this register.')).toBeTruthy()
})

test('the page says that there is no other witness, and offers a retry after an error', async () => {
  await serve(treeOf('entry', 8))
  const { unmount } = render(<RegisterScreen />)
  expect(await screen.findByText('Nobody else watches this register yet.')).toBeTruthy()
  unmount()
  queryClient.clear()
  fakeApi({
    'GET /proof/register': {
      status: 404,
      body: { code: 'register_empty', message: 'The register has not begun yet.' },
    },
  })
  render(<RegisterScreen />)
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
