import type { SymbolItem } from '#contract/markets.ts'
import type { UserOut } from '#contract/profile.ts'

/** Builds a verified user in the form of the API. */
export function aUser(rest: Partial<UserOut> = {}): UserOut {
  return {
    id: 'user-1',
    uid: '7K3M9QX2TD',
    username: 'ada',
    email: null,
    balance: 100,
    staked: 0,
    withdrawing: 0,
    open_orders: 0,
    unread_notices: 0,
    has_deposits: false,
    points: 0,
    image_path: null,
    customer_link: null,
    withdrawal_code_enabled: false,
    profile_complete: false,
    ev: true,
    ev_reason: '',
    code_sent: true,
    currency_symbol: '$',
    currency_name: 'USDT',
    firstname: '',
    lastname: '',
    mobile: '7700900142',
    mobile_proven: false,
    mobile_code: '+44',
    country_code: 'GB',
    address: { address: '', city: '', zip: '', state: '', country: '' },
    trade_status: 1,
    trade_reason: '',
    stake_limits: [],
    break: null,
    leaving: null,
    recovery: null,
    terms_needed: false,
    ...rest,
  }
}

/** Builds a listed symbol in the form of the API. */
export function aSymbol(rest: Partial<SymbolItem> = {}): SymbolItem {
  return {
    id: 1,
    name: 'Bitcoin',
    symbol: 'BTC',
    product_id: 'BTCUSDT',
    market_type: 'crypto',
    decimals: 2,
    isFavorite: false,
    is_featured: false,
    image: '',
    color: '#f7931a',
    price: 67_284.1,
    change: 2.418,
    open: 65_695.6,
    open_hkt: 66_000,
    open_utc: 68_000,
    high: 67_912.4,
    low: 65_480.2,
    volume: 28_417.392,
    lastTickTime: 1_795_000_000_000,
    spark: [65_695.6, 66_000, 67_284.1],
    is_open: true,
    closed_reason: null,
    has_record: true,
    splits: [],
    ...rest,
  }
}
