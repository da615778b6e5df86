import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { toHex } from '#core/proof/bytes.ts'
import { hashTree, rootOf } from '#core/proof/hash-tree.ts'
import { factsHash } from '#core/proof/receipt.ts'
import { factsText, type ReceiptFacts } from '#core/proof/receipt-facts.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'
import { acceptedFacts, resultFacts } from '#server/receipts/order-facts.ts'
import { sha256 } from '#server/sha256.ts'
import { type OrderKey, readEnded, readTaken } from '#server/receipts/order-rows.queries.ts'
import {
  BATCH_SPAN_MS,
  insertReceiptBatch,
  ordersWithoutReceipt,
  type ReceiptKind,
} from '#server/receipts/receipt-batch.queries.ts'
import type { SigningKeyPair } from '#server/receipts/signing-key.ts'
import { repeat } from '#server/repeat.ts'

/** Facts of an order with the moment by which its receipt is found again. */
export interface Leaf extends OrderKey {
  readonly atMs: number
  readonly text: string
}

function leaf({ userId, orderId }: OrderKey, atMs: number, facts: ReceiptFacts): Leaf {
  return { userId, orderId, atMs, text: factsText(facts) }
}

/** The leaves of these orders, in the same order. */
export async function leavesOf(
  db: Db,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  kind: ReceiptKind,
  keys: readonly OrderKey[],
): Promise<Leaf[]> {
  const symbolOf = (id: number) => {
    const symbol = catalogue.byId(id)
    if (symbol === null) throw new Error(`an order names a symbol that there never was: ${id}`)
    return symbol
  }
  if (kind === 'accepted') {
    const orders = await readTaken(db, keys)
    return orders.map((order) =>
      leaf(order, order.openedMs, acceptedFacts(order, symbolOf(order.symbolId), BASE_CURRENCY)),
    )
  }
  const orders = await readEnded(db, keys)
  return orders.map((order) =>
    leaf(order, order.settledMs, resultFacts(order, symbolOf(order.symbolId), BASE_CURRENCY)),
  )
}

export interface ReceiptMaker {
  /** These orders were just taken, or settled. Returns at once. */
  made(kind: ReceiptKind, keys: readonly OrderKey[]): void
  start(): Promise<void>
  /** Makes what waits. */
  stop(): Promise<void>
  /** Everything that was told has its receipt. */
  idle(): Promise<void>
}

const KINDS: readonly ReceiptKind[] = ['accepted', 'result']
const MOST_IN_TREE = 500
const RETRY_MS = 1_000
const SWEEP_MS = 60_000

/**
 * Makes receipts right after the commit and outside of everybody's way: whatever came together while the last tree was
 * written becomes the next one. What a crash leaves without a receipt is found at the start, and each minute.
 */
export function createReceiptMaker(
  ctx: Ctx,
  catalogue: Pick<MarketCatalogue, 'byId'>,
  key: SigningKeyPair,
): ReceiptMaker {
  const waiting: Record<ReceiptKind, OrderKey[]> = { accepted: [], result: [] }
  let running: Promise<void> | null = null
  let stopSweeping: (() => Promise<void>) | null = null
  let cancelRetry: (() => void) | null = null

  function wake(): void {
    running ??= work().finally(() => {
      running = null
      if (KINDS.some((kind) => waiting[kind].length > 0)) cancelRetry = ctx.clock.after(RETRY_MS, wake)
    })
  }

  async function work(): Promise<void> {
    for (const kind of KINDS) {
      while (waiting[kind].length > 0) {
        const keys = waiting[kind].slice(0, MOST_IN_TREE)
        try {
          await makeTrees(kind, keys)
        } catch (error) {
          ctx.log.error({ err: error, kind, orders: keys.length }, 'receipts could not be made and will be tried again')
          return
        }
        waiting[kind].splice(0, keys.length)
      }
    }
  }

  async function makeTrees(kind: ReceiptKind, keys: readonly OrderKey[]): Promise<void> {
    const leaves = (await leavesOf(ctx.db, catalogue, kind, keys)).toSorted((a, b) => a.atMs - b.atMs)
    while (leaves.length > 0) {
      const first = leaves[0]?.atMs ?? 0
      const far = leaves.findIndex(({ atMs }) => atMs > first + BATCH_SPAN_MS)
      await makeTree(kind, leaves.splice(0, far === -1 ? leaves.length : far))
    }
  }

  async function makeTree(kind: ReceiptKind, leaves: readonly Leaf[]): Promise<void> {
    const root = rootOf(
      hashTree(
        sha256,
        leaves.map(({ text }) => factsHash(sha256, text)),
      ),
    )
    const madeMs = ctx.now()
    const signature = await key.sign({ v: 1, kind, root: toHex(root), count: leaves.length, made_ms: madeMs })
    await insertReceiptBatch(ctx.db, {
      id: ctx.newId(),
      kind,
      firstMs: leaves[0]?.atMs ?? 0,
      lastMs: leaves.at(-1)?.atMs ?? 0,
      keys: leaves,
      signature,
      madeMs,
    })
  }

  async function sweep(): Promise<void> {
    await running
    for (const kind of KINDS) {
      const missing = await ordersWithoutReceipt(ctx.db, kind)
      const known = new Set(waiting[kind].map(({ orderId }) => orderId))
      // Those of this moment are on their way here.
      waiting[kind].push(...missing.filter(({ orderId }) => !known.has(orderId)))
    }
    wake()
    await running
  }

  return {
    made(kind, keys) {
      waiting[kind].push(...keys)
      wake()
    },
    async start() {
      await sweep()
      stopSweeping = repeat(ctx, {
        pauseMs: () => SWEEP_MS,
        run: sweep,
        failure: 'orders without a receipt could not be looked up',
      })
    },
    async stop() {
      cancelRetry?.()
      await stopSweeping?.()
      await running
    },
    async idle() {
      // What came while it ran is done by the next one.
      for (let round = running; round !== null; round = running) await round
    },
  }
}
