import type { MarketSymbol, MarketType } from '#core/markets/market.ts'

/** A symbol of a new installation, with the parameters of its simulated market. */
export interface CatalogueSymbol extends MarketSymbol {
  readonly isFeatured: boolean
  /** The colour of the symbol's badge, as #rrggbb. */
  readonly color: string
  /**
   * A typical price in whole quote units (dollars, or the second currency of a pair). The simulated price moves around
   * it.
   */
  readonly startPrice: number
  /** Standard deviation of a year's log returns: 0.5 is 50 % a year. */
  readonly annualVolatility: number
  /** Mean time between two simulated ticks. It divides a minute and is well below `maxTickAgeMs`. */
  readonly tickSpacingMs: number
  /** A typical tick's volume in whole units of the symbol (coins, shares, lots). */
  readonly typicalVolume: number
}

type Row = readonly [
  id: number,
  code: string,
  name: string,
  color: string,
  decimals: number,
  startPrice: number,
  annualVolatility: number,
  tickSpacingMs: number,
  typicalVolume: number,
]

// Decimals are those quoted by large venues, so that no move is lost: a move within one second is at least about one
// unit.
const CRYPTO: readonly Row[] = [
  [1, 'BTC', 'Bitcoin', '#f7931a', 2, 94_000, 0.5, 400, 0.03],
  [2, 'ETH', 'Ethereum', '#627eea', 2, 3_200, 0.65, 400, 0.6],
  [3, 'SOL', 'Solana', '#14b8a6', 2, 165, 0.8, 600, 8],
  [4, 'XRP', 'XRP', '#3b82c4', 5, 2.25, 0.8, 1_000, 600],
  [5, 'ADA', 'Cardano', '#2a5ada', 5, 0.62, 0.8, 1_200, 1_500],
  [6, 'DOGE', 'Dogecoin', '#c2a633', 5, 0.18, 0.9, 1_200, 4_000],
  [7, 'AVAX', 'Avalanche', '#e84142', 3, 22, 0.85, 1_200, 40],
  [8, 'LINK', 'Chainlink', '#2a6fdb', 3, 15.5, 0.8, 1_200, 50],
  [9, 'DOT', 'Polkadot', '#e6007a', 4, 4.1, 0.75, 1_200, 150],
  [10, 'LTC', 'Litecoin', '#7a8ba3', 2, 96, 0.7, 1_200, 6],
  [11, 'UNI', 'Uniswap', '#ff4fa3', 4, 8.4, 0.85, 1_200, 60],
  [12, 'ATOM', 'Cosmos', '#6f7390', 4, 4.3, 0.8, 1_200, 120],
  [13, 'NEAR', 'NEAR Protocol', '#00b98d', 4, 2.7, 0.9, 1_200, 200],
  [14, 'TRX', 'TRON', '#eb0029', 5, 0.28, 0.5, 1_200, 3_000],
]

const US_STOCKS: readonly Row[] = [
  [101, 'AAPL', 'Apple', '#8e8e93', 2, 232, 0.28, 1_500, 90],
  [102, 'MSFT', 'Microsoft', '#00a4ef', 2, 425, 0.26, 1_500, 50],
  [103, 'NVDA', 'NVIDIA', '#76b900', 2, 142, 0.5, 1_500, 300],
  [104, 'AMZN', 'Amazon', '#ff9900', 2, 210, 0.34, 1_500, 80],
  [105, 'GOOGL', 'Alphabet', '#4285f4', 2, 178, 0.3, 1_500, 70],
  [106, 'META', 'Meta Platforms', '#0866ff', 2, 590, 0.36, 1_500, 40],
  [107, 'TSLA', 'Tesla', '#e31937', 2, 340, 0.55, 1_500, 150],
  [108, 'JPM', 'JPMorgan Chase', '#7a5c3e', 2, 240, 0.25, 1_500, 40],
  [109, 'SPY', 'SPDR S&P 500 ETF', '#1f9d76', 2, 590, 0.16, 1_500, 200],
]

const US_FX: readonly Row[] = [
  [201, 'EURUSD', 'Euro / US Dollar', '#2f6fd0', 5, 1.085, 0.075, 1_000, 1.2],
  [202, 'GBPUSD', 'British Pound / US Dollar', '#c8102e', 5, 1.275, 0.085, 1_000, 0.9],
  [203, 'USDJPY', 'US Dollar / Japanese Yen', '#bc002d', 3, 151.5, 0.1, 1_000, 1],
  [204, 'AUDUSD', 'Australian Dollar / US Dollar', '#00843d', 5, 0.655, 0.1, 1_000, 0.7],
  [205, 'USDCAD', 'US Dollar / Canadian Dollar', '#d52b1e', 5, 1.375, 0.07, 1_000, 0.7],
  [206, 'USDCHF', 'US Dollar / Swiss Franc', '#da291c', 5, 0.885, 0.08, 1_000, 0.6],
  [207, 'NZDUSD', 'New Zealand Dollar / US Dollar', '#3a4a8c', 5, 0.595, 0.1, 1_000, 0.5],
  [208, 'EURGBP', 'Euro / British Pound', '#6a5acd', 5, 0.842, 0.06, 1_000, 0.5],
  [209, 'EURJPY', 'Euro / Japanese Yen', '#9b3d6e', 3, 164, 0.1, 1_000, 0.6],
]

/** Maximum age of the newest tick on which an order may be accepted or settled. */
export const MAX_TICK_AGE_MS: Record<MarketType, number> = { crypto: 5_000, us_stocks: 15_000, us_fx: 15_000 }

const FEATURED = new Set(['BTC', 'ETH', 'SOL', 'AAPL', 'NVDA', 'TSLA', 'EURUSD', 'GBPUSD', 'USDJPY'])

/** The symbols of a new installation, by id. Ids never change and are never reused. */
export const CATALOGUE: readonly CatalogueSymbol[] = [
  ...CRYPTO.map((row) => toSymbol('crypto', row)),
  ...US_STOCKS.map((row) => toSymbol('us_stocks', row)),
  ...US_FX.map((row) => toSymbol('us_fx', row)),
]

function toSymbol(marketType: MarketType, row: Row): CatalogueSymbol {
  const [id, code, name, color, decimals, startPrice, annualVolatility, tickSpacingMs, typicalVolume] = row
  return {
    id,
    code,
    name,
    marketType,
    decimals,
    maxTickAgeMs: MAX_TICK_AGE_MS[marketType],
    isFeatured: FEATURED.has(code),
    color,
    startPrice,
    annualVolatility,
    tickSpacingMs,
    typicalVolume,
  }
}
