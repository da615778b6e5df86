import type { MarketType } from '#core/markets/market.ts'
import type { VoidReason } from '#core/orders/order.ts'

/** A tick by its place in the log. The price is in units of 10^-decimals of its symbol. */
export interface TickFacts {
  readonly q: number
  readonly price: number
  readonly time_ms: number
}

/** The end of the log at some moment: the place of its newest tick and the hash of the batch that ends there. */
export interface HeadFacts {
  readonly q: number
  readonly hash: string
}

/** What an order was taken on, for anyone: not whose it is, nor how much was staked. */
export interface AcceptedFacts {
  readonly v: 1
  readonly kind: 'accepted'
  readonly trx: string
  readonly symbol: string
  readonly symbol_id: number
  readonly market: MarketType
  readonly decimals: number
  readonly direction: 'buy' | 'sell'
  /** What a win adds to the stake, in hundredths of a percent. */
  readonly payout_bp: number
  readonly rule: number
  readonly opened_ms: number
  readonly expires_ms: number
  readonly entry: TickFacts
  /** The log as it was when the order was taken. */
  readonly head: HeadFacts
  /** Hash of what only its owner is shown: see `ownerText`. */
  readonly owner: string
}

/** The same with how it ended. */
export interface ResultFacts extends Omit<AcceptedFacts, 'kind'> {
  readonly kind: 'result'
  readonly result: 'win' | 'lose' | 'draw'
  readonly void: VoidReason | null
  /** How old, before the expiry, the price was allowed to be. */
  readonly max_tick_age_ms: number
  readonly exit: TickFacts | null
  readonly next: TickFacts | null
  /** How far the prices had come, by a tick or a heartbeat of their source. */
  readonly watermark_ms: number
  readonly decided_ms: number
  /** The log as it was when the price was decided. */
  readonly decided_head: HeadFacts
}

export type ReceiptFacts = AcceptedFacts | ResultFacts

/** Parts of the text that the facts of many orders have in common: whoever writes many writes them once. */
export interface CommonParts {
  readonly symbol: string
  readonly entry: string
  readonly head: string
}

type OwnTerms = Pick<AcceptedFacts, 'trx' | 'direction' | 'payout_bp' | 'rule' | 'opened_ms' | 'expires_ms' | 'owner'>

/**
 * Facts as the one text that is hashed: JSON without white space, keys in the order of the documentation. A text that
 * says the same in another way is another text. Written piece by piece, as it is made of every order twice.
 */
export function factsText(facts: ReceiptFacts): string {
  const parts = { symbol: symbolText(facts), entry: tickText(facts.entry), head: headText(facts.head) }
  return facts.kind === 'accepted' ? acceptedText(facts, parts) : resultText(facts, parts, endText(facts))
}

export function acceptedText(own: OwnTerms, parts: CommonParts): string {
  return `{"v":1,"kind":"accepted",${termsText(own, parts)}}`
}

export function resultText(own: OwnTerms & Pick<ResultFacts, 'result'>, parts: CommonParts, end: string): string {
  return `{"v":1,"kind":"result",${termsText(own, parts)},"result":"${own.result}",${end}}`
}

function termsText(own: OwnTerms, { symbol, entry, head }: CommonParts): string {
  return (
    `"trx":${quoted(own.trx)},${symbol},"direction":"${own.direction}","payout_bp":${own.payout_bp},"rule":${own.rule},` +
    `"opened_ms":${own.opened_ms},"expires_ms":${own.expires_ms},"entry":${entry},"head":${head},"owner":"${own.owner}"`
  )
}

type SymbolFacts = Pick<AcceptedFacts, 'symbol' | 'symbol_id' | 'market' | 'decimals'>

export function symbolText({ symbol, symbol_id: id, market, decimals }: SymbolFacts): string {
  return `"symbol":${quoted(symbol)},"symbol_id":${id},"market":"${market}","decimals":${decimals}`
}

type EndFacts = Omit<ResultFacts, keyof AcceptedFacts | 'result'>

/** The price that all orders of a symbol and an expiry ended by, or why there was none. */
export function endText(end: EndFacts): string {
  return (
    `"void":${end.void === null ? 'null' : `"${end.void}"`},"max_tick_age_ms":${end.max_tick_age_ms},` +
    `"exit":${tickText(end.exit)},"next":${tickText(end.next)},"watermark_ms":${end.watermark_ms},` +
    `"decided_ms":${end.decided_ms},"decided_head":${headText(end.decided_head)}`
  )
}

/** What a receipt adds for the owner of the order alone. */
export interface OwnerFacts {
  /** The order's id, which nobody else is told: without it amounts could be tried against the hash. */
  readonly order: string
  /** In hundredths of the currency. */
  readonly stake: string
  readonly currency: string
}

/** As the text whose hash every receipt of the order carries as `owner`. */
export function ownerText({ order, stake, currency }: OwnerFacts): string {
  return `{"order":${quoted(order)},"stake":${quoted(stake)},"currency":${quoted(currency)}}`
}

export function tickText(tick: TickFacts | null): string {
  return tick === null ? 'null' : `{"q":${tick.q},"price":${tick.price},"time_ms":${tick.time_ms}}`
}

export function headText({ q, hash }: HeadFacts): string {
  return `{"q":${q},"hash":"${hash}"}`
}

const PLAIN = /^[\w./-]*$/

/** As JSON writes it; hardly anything needs more than its quotes. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
