import type { SourceClass } from '#core/markets/source-class.ts'
import type { MarketType } from '#core/markets/market.ts'
import type { DecidedResult, VoidReason } from '#core/orders/order.ts'

/** A tick and its sequence number in the log. The price is in units of 10^-decimals of its symbol. */
export interface TickFacts {
  readonly q: number
  readonly price: number
  readonly time_ms: number
  /** The provider's number of the trade. Null where the provider gives no number. Absent in version 1. */
  readonly ref?: number | null
}

/** The entry of the trade terms that names the payout. */
export interface TermsFacts {
  readonly n: number
  readonly hash: string
}

/** The facts that version 2 adds about how the price of the order is decided. */
export interface GroupFacts {
  readonly terms: TermsFacts
  readonly evidence: SourceClass
  /** Maximum age of the price at the entry and at the expiry. */
  readonly max_tick_age_ms: number
  /** The source of the order's entry price. */
  readonly source: string
}

/**
 * The head of the log at some moment: the sequence number of its newest tick and the hash of the batch that ends there.
 */
export interface HeadFacts {
  readonly q: number
  readonly hash: string
}

/** The public facts on which an order was accepted. User and stake are not included. */
export interface AcceptedFacts extends Partial<GroupFacts> {
  /** Orders of rule 1 have version 1, without the group facts. */
  readonly v: 1 | 2
  readonly kind: 'accepted' | 'practice_accepted'
  readonly trx: string
  readonly symbol: string
  readonly symbol_id: number
  readonly market: MarketType
  readonly decimals: number
  readonly direction: 'buy' | 'sell'
  /** The profit of a win, in hundredths of a percent of the stake. */
  readonly payout_bp: number
  readonly rule: number
  readonly opened_ms: number
  readonly expires_ms: number
  readonly entry: TickFacts
  /** The log head when the order was accepted. */
  readonly head: HeadFacts
  /** Hash of the part that only the order's user can see: see `ownerText`. */
  readonly owner: string
}

/** A result as receipts name it. In a receipt, a void order is a draw: `void` says why. */
export type ReceiptResult = 'win' | 'lose' | 'draw'

const RECEIPT_RESULTS: Readonly<Record<DecidedResult, ReceiptResult>> = {
  1: 'win',
  2: 'lose',
  3: 'draw',
  4: 'draw',
}

export function receiptResult(result: DecidedResult): ReceiptResult {
  return RECEIPT_RESULTS[result]
}

/** The facts of an accepted order and its result. */
export interface ResultFacts extends Omit<AcceptedFacts, 'kind'> {
  readonly kind: 'result' | 'practice_result'
  readonly result: ReceiptResult
  readonly void: VoidReason | null
  /** Maximum age of the exit price at the expiry. */
  readonly max_tick_age_ms: number
  readonly exit: TickFacts | null
  readonly next: TickFacts | null
  /** Whether exit or next is late evidence. Absent in version 1. */
  readonly late?: boolean
  /** The newest source time of a tick or heartbeat at the decision. */
  readonly watermark_ms: number
  readonly decided_ms: number
  /** The log head when the price was decided. */
  readonly decided_head: HeadFacts
}

export type ReceiptFacts = AcceptedFacts | ResultFacts

/** The beginning of the kinds of receipts of practice orders. */
const PRACTICE = 'practice_'

/** Whether a receipt is of a practice order, without money at stake. */
export function isOfPractice({ kind }: { readonly kind: string }): boolean {
  return kind.startsWith(PRACTICE)
}

/** Whether the facts are those of a result. Otherwise they are those of an acceptance. */
export function isResult(facts: ReceiptFacts): facts is ResultFacts {
  return facts.kind === 'result' || facts.kind === 'practice_result'
}

/** A trade according to the public history of the source. */
export type RecordFacts = Omit<TickFacts, 'q'> & { readonly ref: number | null }

/** The history's last price up to the expiry, and its first price after the expiry. */
export interface AmendingRecord {
  /** The entry according to the history. Absent when the history does not contradict the entry of the order. */
  readonly entry?: RecordFacts | undefined
  readonly last: RecordFacts | null
  readonly next: RecordFacts | null
}

/** The facts of a result that the source's history contradicts, and of the payment that made up for it. */
export interface AmendedFacts extends Omit<ResultFacts, 'kind'> {
  readonly kind: 'amended' | 'practice_amended'
  /** Who amended the result: the source's history. No staff member can amend results. */
  readonly by: 'record'
  /** The result according to the history. `result` keeps the earlier result. */
  readonly amended: ReceiptResult
  readonly record: AmendingRecord
  /** The payment, in hundredths of a percent of the stake, so that the stake stays private. */
  readonly paid: number
  readonly amended_ms: number
}

/** Parts of the text that many orders share. Writers of many receipts build them once. */
export interface CommonParts {
  readonly symbol: string
  readonly entry: string
  readonly head: string
  /** The text of the group facts. Absent in version 1. */
  readonly group?: string | undefined
}

/**
 * Formats the facts of an amended result: the facts of the original result, and the facts from the source's history.
 */
export function amendedText(facts: AmendedFacts): string {
  const { by, amended, record, paid, amended_ms: atMs } = facts
  const result = factsText({ ...facts, kind: isOfPractice(facts) ? 'practice_result' : 'result' })
  return (
    `${withKind(result, 'result', 'amended').slice(0, -1)},"by":"${by}","amended":"${amended}",` +
    `"record":{${record.entry ? `"entry":${recordText(record.entry)},` : ''}"last":${recordText(record.last)},` +
    `"next":${recordText(record.next)}},"paid":${paid},"amended_ms":${atMs}}`
  )
}

/** Replaces the kind in a text of facts. The facts stay those of money, or of practice. */
export function withKind(text: string, from: 'accepted' | 'result', to: 'amended' | 'sale'): string {
  return text.replace(`${from}",`, `${to}",`)
}

function recordText(trade: RecordFacts | null): string {
  return trade === null ? 'null' : `{"price":${trade.price},"time_ms":${trade.time_ms},"ref":${trade.ref}}`
}

/** Returns the payment of a result, in hundredths of a percent of the stake. */
export function creditShare(result: ReceiptResult, payoutBp: number): number {
  if (result === 'lose') return 0
  return result === 'draw' ? WHOLE_STAKE : WHOLE_STAKE + payoutBp
}

const WHOLE_STAKE = 10_000

type OwnTerms = Pick<AcceptedFacts, 'trx' | 'direction' | 'payout_bp' | 'rule' | 'opened_ms' | 'expires_ms' | 'owner'>

/**
 * Formats facts as the canonical text that is hashed: JSON without white space, keys in the documented order. Any other
 * form has another hash. Built from pieces for speed, because the text is needed twice per order.
 */
export function factsText(facts: ReceiptFacts): string {
  const group = facts.v === 2 && isOfGroup(facts) ? groupFactsText(facts) : undefined
  const parts = { symbol: symbolText(facts), entry: tickText(facts.entry), head: headText(facts.head), group }
  const isPractice = isOfPractice(facts)
  if (!isResult(facts)) return acceptedText(facts, parts, isPractice)
  return resultText(facts, parts, { end: endText(facts), isPractice })
}

export function acceptedText(own: OwnTerms, parts: CommonParts, isPractice: boolean): string {
  return `{"v":${versionOf(parts)},"kind":"${isPractice ? PRACTICE : ''}accepted",${termsText(own, parts)}}`
}

export function resultText(
  own: OwnTerms & Pick<ResultFacts, 'result'>,
  parts: CommonParts,
  { end, isPractice }: { readonly end: string; readonly isPractice: boolean },
): string {
  const kind = `${isPractice ? PRACTICE : ''}result`
  return `{"v":${versionOf(parts)},"kind":"${kind}",${termsText(own, parts)},"result":"${own.result}",${end}}`
}

function versionOf({ group }: CommonParts): 1 | 2 {
  return group === undefined ? 1 : 2
}

function isOfGroup(facts: Partial<GroupFacts>): facts is GroupFacts {
  return facts.terms !== undefined && facts.evidence !== undefined && facts.source !== undefined
}

/** Formats the facts that version 2 adds. */
export function groupFactsText({ terms, evidence, max_tick_age_ms: ageMs, source }: GroupFacts): string {
  return `"terms":{"n":${terms.n},"hash":"${terms.hash}"},"evidence":"${evidence}","max_tick_age_ms":${ageMs},"source":${quoted(source)}`
}

function termsText(own: OwnTerms, { symbol, entry, head, group }: CommonParts): string {
  return (
    `"trx":${quoted(own.trx)},${symbol},"direction":"${own.direction}","payout_bp":${own.payout_bp},"rule":${own.rule},` +
    (group === undefined ? '' : `${group},`) +
    `"opened_ms":${own.opened_ms},"expires_ms":${own.expires_ms},"entry":${entry},"head":${head},"owner":"${own.owner}"`
  )
}

type SymbolFacts = Pick<AcceptedFacts, 'symbol' | 'symbol_id' | 'market' | 'decimals'>

export function symbolText({ symbol, symbol_id: id, market, decimals }: SymbolFacts): string {
  return `"symbol":${quoted(symbol)},"symbol_id":${id},"market":"${market}","decimals":${decimals}`
}

type EndFacts = Omit<ResultFacts, Exclude<keyof AcceptedFacts, 'max_tick_age_ms'> | 'result'>

/** Formats the price that settled all orders of a symbol and expiry, or the reason why there was none. */
export function endText(end: EndFacts): string {
  return (
    `"void":${end.void === null ? 'null' : `"${end.void}"`},` +
    // In version 2, the maximum age is among the facts of the order.
    (end.late === undefined ? `"max_tick_age_ms":${end.max_tick_age_ms},` : '') +
    `"exit":${tickText(end.exit)},"next":${tickText(end.next)},` +
    (end.late === undefined ? '' : `"late":${end.late},`) +
    `"watermark_ms":${end.watermark_ms},` +
    `"decided_ms":${end.decided_ms},"decided_head":${headText(end.decided_head)}`
  )
}

/** The part of a receipt that only the order's user receives. */
export interface OwnerFacts {
  /** The order's id, which only its user knows. Without it, amounts could be guessed and compared with the hash. */
  readonly order: string
  /** The stake in hundredths of the currency, as decimal text. */
  readonly stake: string
  readonly currency: string
}

/** Formats the owner's part. Every receipt of the order contains the hash of this text as `owner`. */
export function ownerText({ order, stake, currency }: OwnerFacts): string {
  return `{"order":${quoted(order)},"stake":${quoted(stake)},"currency":${quoted(currency)}}`
}

export function tickText(tick: TickFacts | null): string {
  if (tick === null) return 'null'
  const ref = tick.ref === undefined ? '' : `,"ref":${tick.ref}`
  return `{"q":${tick.q},"price":${tick.price},"time_ms":${tick.time_ms}${ref}}`
}

export function headText({ q, hash }: HeadFacts): string {
  return `{"q":${q},"hash":"${hash}"}`
}

const PLAIN = /^[\w./-]*$/

/** Quotes a text as JSON does. Most texts need only the quotes. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
