import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { asciiBytes, fromHex, joinBytes, toHex } from '#core/proof/bytes.ts'
import { bundleText } from '#core/proof/bundle-file.ts'
import { SIGNATURE_TYPE } from '#core/proof/check-signature.ts'
import { hashTree, pathOf, rootOf } from '#core/proof/hash-tree.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { factsHash, type Receipt, RECEIPT_FORMAT, RECEIPT_VERSION } from '#core/proof/receipt.ts'
import { type AcceptedFacts, factsText, type ReceiptFacts, type ResultFacts } from '#core/proof/receipt-facts.ts'
import { sha256, sha256OfText } from '#server/platform/runtime/sha256.ts'

const START = Date.UTC(2026, 2, 18, 12)
const SYMBOLS = 200
const BATCH_MS = 100
const IN_TREE = 1_000
const MAX_TICK_AGE_MS = 15_000
const MAX_CLOCK_SKEW_MS = 5_000

/**
 * Creates the check file of a one-minute order on a tick log with 200 symbols at ten prices per second each. A void
 * order must show the whole period without a price: twenty seconds, for a market with that maximum age.
 */
export function busyOrder({ isVoid }: { readonly isVoid: boolean }): { text: string; ticks: number } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const log = busyLog(isVoid ? (MAX_TICK_AGE_MS + MAX_CLOCK_SKEW_MS) / BATCH_MS + 10 : 6, isVoid)
  const entryLog = busyLog(1, false)
  const [first, last] = [entryLog[0], log.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a log has batches')
  const expires = START + log.length * BATCH_MS - 3 * BATCH_MS - 1
  const tickAt = (q: number, time_ms: number) => ({ q, price: priceAt(q), time_ms })
  const exitBatch = log.length - 4
  const accepted: AcceptedFacts = {
    v: 1,
    kind: 'accepted',
    trx: 'ABCD1234',
    symbol: 'BTC',
    symbol_id: 1,
    market: 'crypto',
    decimals: 2,
    direction: 'buy',
    payout_bp: 8_000,
    rule: 1,
    opened_ms: expires - 60_000,
    expires_ms: expires,
    entry: tickAt(1, START),
    head: { q: first.last_seq, hash: first.hash },
    owner: sha256OfText('nobody'),
  }
  const exit = isVoid ? null : tickAt(exitBatch * SYMBOLS + 1, START + exitBatch * BATCH_MS)
  const result: ResultFacts = {
    ...accepted,
    kind: 'result',
    result: exit === null || exit.price === accepted.entry.price ? 'draw' : 'win',
    void: isVoid ? 'no_tick_before_expiry' : null,
    max_tick_age_ms: MAX_TICK_AGE_MS,
    exit,
    next: tickAt((exitBatch + 1) * SYMBOLS + 1, START + (exitBatch + 1) * BATCH_MS),
    watermark_ms: expires + 1,
    decided_ms: expires + 300,
    decided_head: { q: last.last_seq, hash: last.hash },
  }
  const receipt = (facts: ReceiptFacts): Receipt => {
    const text = factsText(facts)
    const leaves = Array.from({ length: IN_TREE }, (_, at) => factsHash(sha256, at === 333 ? text : `${at}`))
    const tree = hashTree(sha256, leaves)
    const root = { v: 1, kind: facts.kind, root: toHex(rootOf(tree)), count: IN_TREE, made_ms: START + 99_000 }
    const head = { alg: 'EdDSA', kid: 'a-key', typ: SIGNATURE_TYPE }
    const content = [head, root].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const signature = `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`
    const path = pathOf(tree, 333).map(({ side, hash: other }) => ({ side, hash: toHex(other) }))
    return { format: RECEIPT_FORMAT, version: RECEIPT_VERSION, facts: text, path, signature }
  }
  const key = { kid: 'a-key', x: publicKey.export({ format: 'jwk' }).x ?? '', from_ms: START, retired_ms: null }
  const receipts = { accepted: receipt(accepted), result: receipt(result) }
  const text = bundleText({ ...receipts, entryLog, exitLog: log, keys: [key] }, [])
  return { text, ticks: log.length * SYMBOLS }
}

function priceAt(q: number): number {
  return 9_400_000 + (q > SYMBOLS ? 50 : 0)
}

/** Creates `batches` batches. With a gap, the first symbol has its next price only at the end. */
function busyLog(batches: number, hasHole: boolean): LogBatch[] {
  let previous = '0'.repeat(64)
  return Array.from({ length: batches }, (_, batch) => {
    const firstSeq = batch * SYMBOLS + 1
    const time = START + batch * BATCH_MS
    const isSilent = hasHole && batch < batches - 3
    const line = (at: number) =>
      `${firstSeq + at} ${isSilent ? at + 2 : at + 1} ${priceAt(firstSeq + at)} 12 ${time} ${time + 20} binance\n`
    const payload = Array.from({ length: SYMBOLS }, (__, at) => line(at)).join('')
    const own = hash('sha256', joinBytes(fromHex(previous), asciiBytes(payload)))
    const logBatch = {
      first_seq: firstSeq,
      last_seq: firstSeq + SYMBOLS - 1,
      previous_hash: previous,
      hash: own,
      payload,
    }
    previous = own
    return logBatch
  })
}
