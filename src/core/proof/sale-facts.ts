import {
  type AcceptedFacts,
  factsText,
  headText,
  type HeadFacts,
  isOfPractice,
  type TermsFacts,
  tickText,
  type TickFacts,
  withKind,
} from '#core/proof/receipt-facts.ts'

/** The facts of an order that was sold back before its expiry. Version 2 only. */
export interface SaleFacts extends Omit<AcceptedFacts, 'kind'> {
  readonly kind: 'sale' | 'practice_sale'
  /** The version of the model of the price. */
  readonly model: 1
  /** The scale of the movement, in percent. */
  readonly c: number
  readonly fee_bp: number
  /** The entry of the trade terms that names model, scale and fee. */
  readonly sale_terms: TermsFacts
  readonly requested_ms: number
  /** The log head when the request was stored. */
  readonly requested_head: HeadFacts
  /** The tick at which the sale was carried out. */
  readonly tick: TickFacts
  readonly received_ms: number
  /** The mean squared move before the tick, as decimal text. */
  readonly movement: string
  /** The chances to win and of a draw, in units of 10^-9. */
  readonly win: number
  readonly same: number
  readonly decided_ms: number
  /** The log head when the sale was decided. */
  readonly decided_head: HeadFacts
  /** Hash of the amounts, which only the order's user can see: see `saleOwnerText`. */
  readonly sale_owner: string
}

/** Formats the facts of a sale: the facts of the accepted order, then the facts that the sale adds. */
export function saleText(facts: SaleFacts): string {
  const {
    model,
    c,
    fee_bp: fee,
    sale_terms: terms,
    requested_ms: requestedMs,
    received_ms: receivedMs,
    movement,
    win,
    same,
  } = facts
  const accepted = factsText({ ...facts, kind: isOfPractice(facts) ? 'practice_accepted' : 'accepted' })
  return (
    `${withKind(accepted, 'accepted', 'sale').slice(0, -1)},"model":${model},"c":${c},"fee_bp":${fee},` +
    `"sale_terms":{"n":${terms.n},"hash":"${terms.hash}"},"requested_ms":${requestedMs},"requested_head":${headText(facts.requested_head)},` +
    `"tick":${tickText(facts.tick)},"received_ms":${receivedMs},"movement":"${movement}","win":${win},"same":${same},` +
    `"decided_ms":${facts.decided_ms},"decided_head":${headText(facts.decided_head)},"sale_owner":"${facts.sale_owner}"}`
  )
}

/** The amounts of a sale, in hundredths of the currency, as decimal text. */
export interface SaleOwnerFacts {
  readonly order: string
  readonly stake: string
  readonly currency: string
  readonly least: string
  readonly gross: string
  readonly fee: string
  readonly paid: string
}

/** Formats the amounts of a sale. Its receipt contains the hash of this text as `sale_owner`. */
export function saleOwnerText({ order, stake, currency, least, gross, fee, paid }: SaleOwnerFacts): string {
  return JSON.stringify({ order, stake, currency, least, gross, fee, paid })
}
