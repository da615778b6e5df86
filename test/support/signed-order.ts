import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { asciiBytes, fromHex, joinBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import type { LinePoint } from '#core/proof/bundle-file.ts'
import type { Bundle } from '#core/proof/check-bundle.ts'
import { SIGNATURE_TYPE, type SigningKey } from '#core/proof/check-signature.ts'
import { hashTree, pathOf, rootOf } from '#core/proof/hash-tree.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { factsHash, ownerHash, type Receipt, RECEIPT_FORMAT, RECEIPT_VERSION } from '#core/proof/receipt.ts'
import {
  type AcceptedFacts,
  factsText,
  ownerText,
  type ReceiptFacts,
  type ResultFacts,
} from '#core/proof/receipt-facts.ts'

/** Node's own, so that the browser's is compared with another one. */
const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())

const START = Date.UTC(2026, 2, 18, 12)
const MADE_MS = START + 61_300
const SYMBOL = 1
const ENTRY = 9_400_000
const OWNER = ownerText({ order: '0195a000-0000-7000-8000-000000000001', stake: '1000', currency: 'USDT' })

export interface OrderSketch {
  readonly direction?: 'buy' | 'sell'
  /** The price at the expiry, in cents; null when none came in time. */
  readonly exit?: number | null
  /** A heartbeat decided the price; the tick after the expiry came later. */
  readonly isByHeartbeat?: boolean
  /** It has not ended yet. */
  readonly isRunning?: boolean
  /** With the owner's part, as only its owner is answered. */
  readonly isOwn?: boolean
  /** What the server says instead of how it was, signed as if it were so. */
  readonly lies?: Partial<ResultFacts>
}

export interface SignedOrder {
  readonly bundle: Bundle
  /** The first tick after the expiry, as the evidence has it for showing. */
  readonly next: LinePoint | null
  readonly line: readonly LinePoint[]
}

/**
 * The receipts of one order of a minute with the log and the keys that they are checked with, made by hand: a log of a
 * few ticks, a tree of three orders, a key of its own. What a server answers, for screens that check it.
 */
export function aSignedOrder(sketch: OrderSketch = {}): SignedOrder {
  const { direction = 'buy', exit = ENTRY + 50, isRunning = false, isOwn = false, lies = {} } = sketch
  const { isByHeartbeat = false } = sketch
  const signer = makeSigner()
  const log = logOf(exit).slice(0, isByHeartbeat ? -1 : undefined)
  const [first, last] = [log[0], log.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a log has batches')
  const tick = (q: number, price: number, afterMs: number) => ({ q, price, time_ms: START + afterMs })
  const accepted: AcceptedFacts = {
    v: 1,
    kind: 'accepted',
    trx: 'ABCD1234',
    symbol: 'BTC',
    symbol_id: SYMBOL,
    market: 'crypto',
    decimals: 2,
    direction,
    payout_bp: 8_000,
    rule: 1,
    opened_ms: START + 1_000,
    expires_ms: START + 61_000,
    entry: tick(1, ENTRY, 500),
    head: headOf(first),
    owner: ownerHash(sha256, OWNER),
  }
  const change = exit === null ? 0 : Math.sign(exit - ENTRY) * (direction === 'buy' ? 1 : -1)
  const result: ResultFacts = {
    ...accepted,
    kind: 'result',
    result: change === 0 ? 'draw' : change > 0 ? 'win' : 'lose',
    void: exit === null ? 'no_tick_before_expiry' : null,
    max_tick_age_ms: 5_000,
    exit: exit === null ? null : tick(3, exit, 60_900),
    next: isByHeartbeat ? null : tick(last.last_seq, ENTRY + 9, 61_100),
    watermark_ms: START + 61_100,
    decided_ms: START + 61_200,
    decided_head: headOf(last),
    ...lies,
  }
  const nextQ = isByHeartbeat ? last.last_seq + 1 : last.last_seq
  const receipt = (facts: ReceiptFacts) =>
    signReceipt(factsText(facts), facts.kind, signer, isOwn ? { owner: OWNER } : {})
  return {
    bundle: {
      accepted: receipt(accepted),
      result: isRunning ? null : receipt(result),
      entryLog: [first],
      exitLog: isRunning ? [] : exit === null ? log : log.slice(2),
      keys: [signer.published],
    },
    next: isRunning ? null : { q: nextQ, price: (ENTRY + 9) / 100, time_ms: START + 61_100 },
    line: [
      { q: 1, price: ENTRY / 100, time_ms: START + 500 },
      { q: nextQ, price: (ENTRY + 9) / 100, time_ms: START + 61_100 },
    ],
  }
}

/** One batch for each tick: at the entry, half way, at the expiry (unless there is none), and after it. */
function logOf(exit: number | null): LogBatch[] {
  const ticks = [
    [ENTRY, 500],
    [ENTRY + 20, 30_000],
    ...(exit === null ? [] : [[exit, 60_900] as const]),
    [ENTRY + 9, 61_100],
  ] as const
  let previous = '0'.repeat(64)
  return ticks.map(([price, afterMs], at) => {
    const q = at + 1
    const payload = `${q} ${SYMBOL} ${price} 0 ${START + afterMs} ${START + afterMs + 20} test\n`
    const hash = toHex(sha256(joinBytes(fromHex(previous), asciiBytes(payload))))
    const batch = { first_seq: q, last_seq: q, previous_hash: previous, hash, payload }
    previous = hash
    return batch
  })
}

function headOf({ last_seq, hash }: LogBatch) {
  return { q: last_seq, hash }
}

/** A key with its id, made for one test. */
export interface Signer {
  readonly published: SigningKey
  readonly key: KeyObject
}

export function makeSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
  return { published: { kid, x, from_ms: START - 1_000, retired_ms: null }, key: privateKey }
}

/** What is put into header and content of a signature instead of what belongs there, and the owner's part. */
export interface SignedOtherwise {
  readonly header?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, unknown>>
  readonly owner?: string
}

/** A receipt for a text of facts, whatever it says: the second of a tree of three, signed. */
export function signReceipt(text: string, kind: string, signer: Signer, otherwise: SignedOtherwise = {}): Receipt {
  const tree = hashTree(
    sha256,
    ['one', text, 'other'].map((one) => factsHash(sha256, one)),
  )
  const root = toHex(rootOf(tree))
  const header = base64({ alg: 'EdDSA', kid: signer.published.kid, typ: SIGNATURE_TYPE, ...otherwise.header })
  const content = base64({ v: 1, kind, root, count: 3, made_ms: MADE_MS, ...otherwise.content })
  const signature = sign(null, Buffer.from(`${header}.${content}`), signer.key).toString('base64url')
  return {
    format: RECEIPT_FORMAT,
    version: RECEIPT_VERSION,
    facts: text,
    path: pathOf(tree, 1).map(({ side, hash }) => ({ side, hash: toHex(hash) })),
    signature: `${header}.${content}.${signature}`,
    ...(otherwise.owner !== undefined && { owner: otherwise.owner }),
  }
}

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
