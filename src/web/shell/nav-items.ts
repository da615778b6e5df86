import ChartCandlestick from 'lucide-react/icons/chart-candlestick'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import House from 'lucide-react/icons/house'
import Wallet from 'lucide-react/icons/wallet'
import type { ScreenName } from '#core/navigation/screens.ts'
import type { NavItem } from '#ui/nav-item.ts'
import { t } from '#web/i18n/t.ts'

/** The main destination that each screen belongs to. */
const BELONGS_TO: Partial<Record<ScreenName, string>> = {
  home: '/',
  market: '/market',
  trade: '/trade',
  wallet: '/wallet',
  deposit: '/wallet',
  deposit_history: '/wallet',
  withdraw: '/wallet',
  withdrawal_history: '/wallet',
  withdrawalMethods: '/wallet',
  withdawPin: '/wallet',
  PaymentMethod: '/wallet',
  transaction_history: '/wallet',
  account: '/wallet',
  accountHistory: '/wallet',
  changePassword: '/wallet',
  statement: '/wallet',
  figures: '/wallet',
  security: '/wallet',
  limits: '/wallet',
  data: '/wallet',
  keys: '/wallet',
  close: '/wallet',
  profile: '/wallet',
  edit_profile: '/wallet',
  options: '/wallet',
  profile_picture: '/wallet',
  leave: '/leave',
}

/**
 * Returns Home, Market, Trade and Wallet. Home is hidden for logged-in users. A blocked user gets only the screen for
 * leaving the site.
 */
export function navItems(
  screen: ScreenName,
  { isSignedIn, isLeaveOnly }: { readonly isSignedIn: boolean; readonly isLeaveOnly: boolean },
): NavItem[] {
  const out = [{ href: '/leave', label: t('screen.leave'), Icon: Wallet }]
  const all = [
    { href: '/', label: t('shell.home'), Icon: House },
    { href: '/market', label: t('shell.market'), Icon: ChartNoAxesColumn },
    { href: '/trade', label: t('shell.trade'), Icon: ChartCandlestick },
    { href: '/wallet', label: t('shell.wallet'), Icon: Wallet },
  ]
  return (isLeaveOnly ? out : all)
    .filter((item) => !(isSignedIn && item.href === '/'))
    .map((item) => ({ ...item, active: BELONGS_TO[screen] === item.href }))
}
