import { type FileContent, type LinePoint, readBundle } from '#core/proof/bundle-file.ts'
import { type Bundle, type BundleCheck, checkBundle, NOTHING_TO_CHECK } from '#core/proof/check-bundle.ts'
import { readFacts } from '#core/proof/read-facts.ts'
import { call } from '#web/api/call.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'

/** The receipts of an order with the findings of this browser. */
export interface OrderCheck {
  readonly bundle: Bundle
  readonly line: readonly LinePoint[]
  /** The first tick after the expiry, if known. */
  readonly next: LinePoint | null
  readonly check: BundleCheck
  /** Whether only the keys from the file were available for the check. */
  readonly areKeysOwn: boolean
  readonly isFromFile: boolean
}

/** Downloads the receipts and evidence of an order and checks them in the browser. */
export async function checkOrder(trx: string, signal?: AbortSignal): Promise<OrderCheck> {
  const [receipts, evidence, keys] = await Promise.all([
    call('GET /proof/receipts/:trx', { params: { trx }, signal }),
    call('GET /proof/evidence/:trx', { params: { trx }, signal }),
    publishedKeys(signal),
  ])
  const read = readBundle({ ...receipts.data, evidence: evidence.data, keys })
  // The server sent receipts that cannot be read. They must not look like missing receipts.
  if (read === null) return UNREADABLE
  const { accepted, result, amended, sale } = read
  const bundle = { accepted, result, amended, sale, ...read.evidence, keys: read.keys }
  const order = { ...checkHere(bundle, read), areKeysOwn: false, isFromFile: false }
  if (order.check.facts === null || order.check.facts.trx === trx) return order
  return { ...order, check: { ...order.check, faults: [...order.check.faults, 'terms'] } }
}

const UNREADABLE: OrderCheck = {
  bundle: { accepted: null, result: null, entryLog: [], exitLog: [], keys: [] },
  line: [],
  next: null,
  check: NOTHING_TO_CHECK,
  areKeysOwn: false,
  isFromFile: false,
}

/**
 * Checks the content of a file. The check uses the published keys if they can be loaded, and the server's prices if the
 * file has no prices.
 */
export async function checkFile(file: FileContent): Promise<OrderCheck> {
  const { accepted, result, amended, sale } = file
  const published = await publishedKeys().catch((error: unknown) => {
    // Offline: the file may contain the keys.
    if (file.keys === null) throw error
    return null
  })
  const facts = readFacts((result ?? accepted)?.facts ?? '')
  const { line, next, ...evidence } = file.evidence
    ? { ...file.evidence, line: file.line, next: file.next }
    : await evidenceOf(facts?.trx ?? '-')
  const order = checkHere(
    { accepted, result, amended, sale, ...evidence, keys: published ?? file.keys ?? [] },
    { line, next },
  )
  return { ...order, areKeysOwn: published === null, isFromFile: true }
}

function checkHere(bundle: Bundle, { line, next }: Pick<OrderCheck, 'line' | 'next'>) {
  return { bundle, line, next, check: checkBundle(BROWSER_TOOLS, bundle) }
}

async function evidenceOf(trx: string) {
  const { data } = await call('GET /proof/evidence/:trx', { params: { trx } })
  const { terms, sources } = data
  return { entryLog: data.entry_log, exitLog: data.exit_log, terms, sources, line: data.line, next: data.next }
}

/** Loads all keys that were ever published. */
export async function publishedKeys(signal?: AbortSignal) {
  return (await call('GET /proof/keys', { signal })).data.keys
}
