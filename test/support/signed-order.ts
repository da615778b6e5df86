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

/** Node's implementation, so that the browser's implementation is compared with another one. */
const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())

const START = Date.UTC(2026, 2, 18, 12)
const SIGNED_MS = START + 61_300
const SYMBOL = 1
const ENTRY = 9_400_000
const OWNER = ownerText({ order: '0195a000-0000-7000-8000-000000000001', stake: '1000', currency: 'USDT' })

export interface OrderSketch {
  readonly direction?: 'buy' | 'sell'
  /** The price at the expiry in cents. Null when none arrived in time. */
  readonly exit?: number | null
  /** Whether a heartbeat decided the price, because the tick after the expiry came later. */
  readonly isByHeartbeat?: boolean
  /** Whether the order is still open. */
  readonly isRunning?: boolean
  /** Whether the user's private part is included, as in replies to that user. */
  readonly isOwn?: boolean
  /** Facts that the server signs instead of the true ones. */
  readonly lies?: Partial<ResultFacts>
}

export interface SignedOrder {
  readonly bundle: Bundle
  /** The first tick after the expiry, which the evidence contains for display. */
  readonly next: LinePoint | null
  readonly line: readonly LinePoint[]
}

/**
 * Builds the receipts of a one-minute order with the log and keys for checking them, without server code.
 * The log has a few ticks, the tree has three orders, and each call makes a new key. Screens that check receipts use
 * the result as a server reply.
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

/**
 * Builds a log with one batch for each tick: at the entry, half way to the expiry, at the expiry (if `exit` is not
 * null), and after the expiry.
 */
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

/** A key with its id, created for one test. */
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

/** Replacements for parts of the signature's header and content, and the user's private part. */
export interface SignedOtherwise {
  readonly header?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, unknown>>
  readonly owner?: string
}

/** Signs a receipt for any text of facts, as the second leaf of a tree of three. */
export function signReceipt(text: string, kind: string, signer: Signer, otherwise: SignedOtherwise = {}): Receipt {
  const tree = hashTree(
    sha256,
    ['one', text, 'other'].map((one) => factsHash(sha256, one)),
  )
  const root = toHex(rootOf(tree))
  const header = base64({ alg: 'EdDSA', kid: signer.published.kid, typ: SIGNATURE_TYPE, ...otherwise.header })
  const content = base64({ v: 1, kind, root, count: 3, made_ms: SIGNED_MS, ...otherwise.content })
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
