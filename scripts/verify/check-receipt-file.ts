import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { proofHeads } from '#contract/receipts.ts'
import { readMoneyFile } from '#core/proof/money-file.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { readBundleFile, readKeys } from '#core/proof/bundle-file.ts'
import { type Bundle, type BundleCheck, checkBundle } from '#core/proof/check-bundle.ts'
import { checkSignature, type SigningKey } from '#core/proof/check-signature.ts'
import { readFacts } from '#core/proof/read-facts.ts'
import { type AmendedFacts, type ReceiptFacts, isOfPractice, isResult } from '#core/proof/receipt-facts.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { SERVER_TOOLS } from '#server/platform/runtime/proof-tools.ts'
import {
  CannotCheck,
  type Checked,
  COULD_NOT_CHECK,
  DIFFERS,
  faultText,
  FILE_FAULTS,
  LogDiffers,
  MATCHES,
} from './check-verdict.ts'
import { piecesFromFolder, type PublishedHead } from './exported-log.ts'
import { checkMoneyReceipts } from './check-money-file.ts'
import { readJsonFile } from './read-json-file.ts'
import { readOptions } from './read-options.ts'

const USAGE = 'Usage: npm run check:receipt -- FILE [--log DIR [--heads FILE]] [--keys FILE] [--source]'

const NO_LOG = { entryLog: [], exitLog: [] } as const

/** Compares the trades that receipts name with the record of their source. */
export type CompareSource = (
  facts: ReceiptFacts,
  known: { readonly amended: AmendedFacts | null; readonly sources: readonly string[] },
) => Promise<Checked>

/**
 * Checks a receipt file. Returns the exit code and the lines to print. With `compare`, the trades are also compared
 * with the provider's record.
 */
export async function checkReceiptFile(args: readonly string[], compare?: CompareSource): Promise<Checked> {
  try {
    return await check(args, compare)
  } catch (error) {
    if (error instanceof LogDiffers) return differs([error.message])
    return { exitCode: COULD_NOT_CHECK, lines: [error instanceof Error ? error.message : String(error)] }
  }
}

async function check(args: readonly string[], compare: CompareSource | undefined): Promise<Checked> {
  const { file, options: values } = readOptions(args, ['log', 'keys', 'heads'], USAGE)
  if (values.heads !== undefined && values.log === undefined) {
    throw new CannotCheck(`--heads is compared with the days of --log. ${USAGE}`)
  }
  const text = readFileSync(file, 'utf8')
  const receipts = readMoneyFile(text)
  if (receipts !== null) {
    const keys = values.keys === undefined ? receipts.keys : keysFrom(values.keys)
    return checkMoneyReceipts({ ...receipts, keys }, values.keys === undefined)
  }
  const content = readBundleFile(text)
  if (typeof content === 'string') throw new CannotCheck(FILE_FAULTS[content])
  const keys = values.keys === undefined ? content.keys : keysFrom(values.keys)
  if (keys === null)
    throw new CannotCheck('A receipt by itself has no keys: name those that were published with --keys.')

  const found: BundleCheck[] = []
  const withLog = (pieces: Partial<Bundle>) =>
    // A receipt by itself comes without the published trade terms, so it is checked only against pieces of the tick
    // log.
    checkBundle(SERVER_TOOLS, { ...content, terms: null, ...NO_LOG, ...content.evidence, ...pieces, keys })
  if (content.evidence !== null) found.push(withLog(content.evidence))
  else if (values.log === undefined) {
    throw new CannotCheck('A receipt by itself has no piece of the log: name a folder with its days with --log.')
  }
  const facts = readFacts((content.result ?? content.accepted)?.facts ?? '')
  if (values.log !== undefined && facts !== null) {
    const heads = values.heads === undefined ? null : headsFrom(values.heads)
    // Unsigned facts may name sequence numbers that do not exist in any log. The fault to report is the missing
    // signature. The terms are left out, because the log names the price sources that the terms are checked with.
    const withoutLog = withLog({ ...NO_LOG, terms: null })
    const faults = withoutLog.faults.filter((fault) => fault !== 'log')
    if (faults.length > 0) found.push({ ...withoutLog, faults, logFault: null })
    else found.push(withLog(await piecesFromFolder(values.log, { facts, sale: withoutLog.sale, heads })))
  }
  const acceptedMs = content.accepted && signedMs(content.accepted.signature, keys)
  const checked = verdict(found, facts, {
    isOwnKey: values.keys === undefined,
    isOwnLog: values.log === undefined,
    isAcceptedLate: facts !== null && acceptedMs !== null && acceptedMs > facts.expires_ms,
  })
  if (compare === undefined || facts === null || checked.exitCode !== MATCHES) return checked
  const known = { amended: found.at(-1)?.amended ?? null, sources: content.evidence?.sources ?? [] }
  const { exitCode, lines } = await compare(facts, known)
  const all = [...checked.lines.slice(0, -1), ...lines]
  if (exitCode === DIFFERS) return differs(all)
  return { exitCode, lines: exitCode === MATCHES ? [...all, 'It matches.'] : all }
}

interface Grounds {
  readonly isOwnKey: boolean
  readonly isOwnLog: boolean
  /** Whether the server signed the acceptance receipt only after the order had expired. */
  readonly isAcceptedLate: boolean
}

/** Returns when a valid signature was made, or null for an invalid one. */
function signedMs(signature: string, keys: readonly SigningKey[]): number | null {
  const signed = checkSignature(SERVER_TOOLS, signature, keys)
  return typeof signed === 'string' ? null : signed.root.made_ms
}

function verdict(found: readonly BundleCheck[], facts: ReceiptFacts | null, grounds: Grounds): Checked {
  if (facts === null) return differs([faultText('form', null)])
  const faults = found.flatMap((one) => one.faults.map((fault) => faultText(fault, one.logFault)))
  if (faults.length > 0) return differs([...describe(facts, found), ...new Set(faults)])
  return { exitCode: MATCHES, lines: [...describe(facts, found), ...compareYourself(found, grounds), 'It matches.'] }
}

function differs(lines: readonly string[]): Checked {
  return { exitCode: DIFFERS, lines: [...lines, 'THIS DOES NOT MATCH.'] }
}

function* describe(facts: ReceiptFacts, found: readonly BundleCheck[]): Generator<string> {
  const price = (units: number) => formatDecimal(BigInt(units), facts.decimals)
  const at = (ms: number) => toIso(instant(ms))
  const amended = found.at(-1)?.amended ?? null
  const { trx, direction, symbol, opened_ms, expires_ms, entry } = facts
  yield `Order ${trx}: ${direction} ${symbol}, ${at(opened_ms)} to ${at(expires_ms)}`
  yield `Entry: ${price(entry.price)} at ${at(entry.time_ms)}, place ${entry.q}`
  if (isOfPractice(facts)) yield 'This is a practice order. No money was at stake.'
  if (!isResult(facts)) {
    const sale = found.at(-1)?.sale ?? null
    yield sale === null
      ? 'This receipt is of an order that was taken; it says nothing about how it ended.'
      : `Sold back: ${price(sale.tick.price)} at ${at(sale.tick.time_ms)}, place ${sale.tick.q}, requested ${at(sale.requested_ms)}. Chance to win: ${(sale.win / 1e7).toFixed(2)} %.`
    return
  }
  const { exit } = facts
  yield exit === null ? `No price: ${facts.void}` : `Exit: ${price(exit.price)} at ${at(exit.time_ms)}, place ${exit.q}`
  yield `The receipt says: ${facts.result}. Recomputed here: ${found.at(-1)?.recomputed ?? 'not possible'}.`
  if (amended !== null)
    yield `The record of ${amended.source ?? 'the source'} amended it to: ${amended.amended}. Paid in addition: ${amended.paid / 100} % of the stake.`
}

/**
 * Yields the lines that ask the user for further comparisons. A file alone cannot prove everything, because a forger
 * could make the whole file.
 */
function* compareYourself(
  found: readonly BundleCheck[],
  { isOwnKey, isOwnLog, isAcceptedLate }: Grounds,
): Generator<string> {
  if (isAcceptedLate)
    yield 'The receipt of the taking was signed after the expiry, as it is after a crash: it proves no moment of taking.'
  const kids = new Set(found.flatMap((one) => one.kids))
  if (isOwnKey) yield `Compare the key with the published ones, its id is computed here: ${[...kids].join(', ')}`
  if (isOwnLog) yield 'Only the piece of the log in the file was looked at; --log DIR looks at whole days.'
}

function keysFrom(file: string): readonly SigningKey[] {
  const keys = readKeys(readJsonFile(file))
  if (keys === null) throw new CannotCheck(`${file} does not hold the keys as they are published.`)
  return keys
}

const Published = z.object({
  data: z.object({ days: z.array(proofHeads.reply.shape.days.element.omit({ is_kept: true })) }),
})

function headsFrom(file: string): readonly PublishedHead[] {
  const found = Published.safeParse(readJsonFile(file))
  if (!found.success) throw new CannotCheck(`${file} does not hold the heads as they are published.`)
  return found.data.data.days
}
