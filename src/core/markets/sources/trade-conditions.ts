/** The meaning of a trade's price, by its condition code. */
export type TradeUse =
  /** The market's current price. */
  | 'price'
  /** A price from outside the regular session. */
  | 'extended'
  /** Another price: an average, a prior agreement, another settlement date, or a late report. */
  | 'other'

interface TradeCondition {
  readonly name: string
  readonly use: TradeUse
}

/**
 * Finnhub's condition codes for trades of US stocks, from its public list
 * (https://docs.google.com/spreadsheets/d/1PUxiSWPHSODbaTaoL2Vef6DgU-yFtlRGZf19oBb9Hp0).
 *
 * A code is a `price` if the public tables of the tapes say that each such trade sets the consolidated last price. That
 * is column "Update Last" of the consolidated processing guidelines in
 * https://www.utpplan.com/DOC/UtpBinaryOutputSpec.pdf (section on sale conditions) and
 * https://www.ctaplan.com/publicdocs/ctaplan/CTS_Pillar_Output_Specification.pdf. Codes are `other` when they set the
 * last price only under a condition (a late report, the first trade of a day) or are in neither table.
 */
export const FINNHUB_TRADE_CONDITIONS: Readonly<Record<string, TradeCondition>> = {
  '1': { name: 'Regular', use: 'price' },
  '2': { name: 'Acquisition', use: 'price' },
  '3': { name: 'Average price', use: 'other' },
  '4': { name: 'Bunched', use: 'price' },
  '5': { name: 'Cash sale', use: 'other' },
  '6': { name: 'Distribution', use: 'price' },
  '7': { name: 'Automatic execution', use: 'price' },
  '8': { name: 'Intermarket sweep order', use: 'price' },
  '9': { name: 'Bunched sold', use: 'other' },
  '10': { name: 'Price variation', use: 'other' },
  '11': { name: 'Cap election', use: 'other' },
  '12': { name: 'Odd lot', use: 'other' },
  '13': { name: 'Rule 127', use: 'price' },
  '14': { name: 'Rule 155', use: 'price' },
  '15': { name: 'Sold last', use: 'other' },
  '16': { name: 'Market center official close', use: 'other' },
  '17': { name: 'Next day', use: 'other' },
  '18': { name: 'Market center opening trade', use: 'other' },
  '19': { name: 'Opening prints', use: 'price' },
  '20': { name: 'Market center official open', use: 'other' },
  '21': { name: 'Prior reference price', use: 'other' },
  '22': { name: 'Seller', use: 'other' },
  '23': { name: 'Split trade', use: 'price' },
  '24': { name: 'Form T', use: 'extended' },
  '25': { name: 'Extended hours, sold out of sequence', use: 'other' },
  '26': { name: 'Contingent', use: 'other' },
  '27': { name: 'Stock option', use: 'other' },
  '28': { name: 'Cross', use: 'price' },
  '29': { name: 'Yellow flag', use: 'price' },
  '30': { name: 'Sold out of sequence', use: 'other' },
  '31': { name: 'Stopped stock', use: 'price' },
  '32': { name: 'Derivatively priced', use: 'other' },
  '33': { name: 'Market center re-opening trade', use: 'price' },
  '34': { name: 'Re-opening prints', use: 'price' },
  '35': { name: 'Market center closing trade', use: 'price' },
  '36': { name: 'Closing prints', use: 'price' },
  '37': { name: 'Qualified contingent', use: 'other' },
  '38': { name: 'Placeholder for rule 611 exempt', use: 'other' },
  '39': { name: 'Corrected consolidated close', use: 'other' },
  '40': { name: 'Opened', use: 'other' },
  // This code says that the trade was free to pass a better quote elsewhere. The trade's other codes describe its
  // price.
  '41': { name: 'Trade-through exempt', use: 'price' },
}

/**
 * Decides the use of a trade with several codes. One code that is `other` decides for all. A trade without codes is
 * regular. Returns `unknown` for a code that is not in the list.
 */
export function tradeUse(codes: readonly string[]): TradeUse | 'unknown' {
  let use: TradeUse | 'unknown' = 'price'
  for (const code of codes) {
    const found = Object.hasOwn(FINNHUB_TRADE_CONDITIONS, code) ? FINNHUB_TRADE_CONDITIONS[code]?.use : undefined
    if (found === 'other') return 'other'
    if (found === undefined) use = 'unknown'
    else if (found === 'extended' && use === 'price') use = 'extended'
  }
  return use
}
