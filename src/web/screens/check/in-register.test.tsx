import { generateKeyPairSync, sign } from 'node:crypto'
import { render, screen } from '@testing-library/react'
import { decodeJwt } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { asciiBytes } from '#core/proof/bytes.ts'
import { makeRegisterProof } from '#core/register/check-inclusion.ts'
import { checkpointText } from '#core/register/checkpoint.ts'
import { entryHash, makeEntry } from '#core/register/entry.ts'
import { cosignedText, logLine, witnessLine } from '#core/register/open-note.ts'
import { formatNote, formatVerifierKey, KEY_TYPES, type KeyType } from '#core/register/signed-note.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSignedOrder } from '#test/support/signed-order.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { forgetSeenStates } from '#web/register/seen-states.ts'
import { InRegister } from '#web/screens/check/in-register.tsx'

const { sha256 } = BROWSER_TOOLS
const TRX = 'ABCD1234'
const AT = Date.UTC(2026, 10, 27, 10)
const { bundle } = aSignedOrder()
const { root, made_ms: madeMs } = decodeJwt<{ root: string; made_ms: number }>(bundle.result?.signature ?? '')

beforeEach(() => {
  queryClient.clear()
  forgetSeenStates()
})

function newSigner(name: string, type: KeyType) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const x = publicKey.export({ format: 'jwk' }).x ?? ''
  const key = { name, type, publicKey: new Uint8Array(Buffer.from(x, 'base64url')) }
  return {
    key,
    verifierKey: formatVerifierKey(sha256, key),
    signs: (text: string) => sign(null, asciiBytes(text), privateKey),
  }
}
const log = newSigner('trade.example.com/register', KEY_TYPES.log)
const friend = newSigner('a-friend', KEY_TYPES.witness)
const own = newSigner('our-own', KEY_TYPES.witness)

/** The proof of a register whose only entry holds this root, cosigned by two witnesses. */
function proofFor(batchRoot: string) {
  const entry = makeEntry('receipts', { at_ms: AT, root: batchRoot, batches: 1, count: 1 })
  const text = checkpointText({ origin: log.key.name, size: 1, root: entryHash(sha256, entry.text) })
  const lines = [
    logLine(sha256, log.key, log.signs(text)),
    ...[friend, own].map(({ key, signs }) => witnessLine(sha256, key, 9, signs(cosignedText(text, 9)))),
  ]
  return makeRegisterProof({ index: 0, text: entry.text, batchPath: [], path: [], note: formatNote({ text, lines }) })
}

function show(
  result: ReturnType<typeof proofFor> | null,
  { newestMs = madeMs + MINUTE_MS, haltedMs = null }: { newestMs?: number; haltedMs?: number | null } = {},
): void {
  const witnesses = [friend, own].map(({ key, verifierKey }) => ({
    name: key.name,
    verifier_key: verifierKey,
    run_by: 'somebody',
    is_ours: key.name === 'our-own',
    size: 1,
    at: null,
  }))
  const state = {
    newest: { size: 1, root: '', at: new Date(newestMs).toISOString() },
    halted_since: haltedMs === null ? null : new Date(haltedMs).toISOString(),
  }
  fakeApi({
    [`GET /proof/receipts/${TRX}/register`]: { body: { data: { accepted: null, result } } },
    'GET /proof/register': { body: { data: { keys: [{ verifier_key: log.verifierKey }], witnesses, ...state } } },
  })
  render(<Shown />)
}
const Shown = withData(() => <InRegister bundle={bundle} trx={TRX} />)

test('the card shows since when the register has had the receipt, and only witnesses that the operator does not run', async () => {
  show(proofFor(root))
  expect(await screen.findByText(/^In the public register since 2026-11-27 10:00:00/)).toBeTruthy()
  expect(screen.getByText('Signed by independent witnesses: a-friend')).toBeTruthy()
})

test('the card says that the register does not have the receipt yet', async () => {
  show(null)
  expect(await screen.findByText(/Not in the public register yet/)).toBeTruthy()
})

test('A41: the card warns when the register went on for minutes without the receipt', async () => {
  show(null, { newestMs: madeMs + 6 * MINUTE_MS })
  expect((await screen.findByRole('alert')).textContent).toMatch(/still not in the public register/)
})

test.each([
  ['halted', { newestMs: madeMs + 6 * MINUTE_MS, haltedMs: madeMs }],
  ['silent since the receipt was signed', { newestMs: madeMs }],
])('the card accuses nobody while the register is %s', async (_, state) => {
  show(null, state)
  expect(await screen.findByText(/Not in the public register yet/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the card warns when the proof belongs to another receipt', async () => {
  show(proofFor('0'.repeat(64)))
  expect(await screen.findByRole('alert')).toBeTruthy()
})
