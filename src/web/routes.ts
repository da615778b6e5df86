import type { ComponentType } from 'react'
import type { ScreenName } from '#core/navigation/screens.ts'
import { type LaterTexts, loadTexts } from '#web/i18n/catalogue.ts'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { preloadable, type Preloadable } from '#ui/preloadable.tsx'

export interface Route {
  Screen: Preloadable<ScreenProps>
  /** Main pages keep the bottom bar on phones. Other pages have their own button there. */
  isMain: boolean
}

/** Every screen by name, each in a separate chunk. The paths are in `core/navigation/screens.ts`. */
export const ROUTES: Record<ScreenName, Route> = {
  home: main(async () => (await import('#web/screens/home/home-screen.tsx')).HomeScreen),
  market: main(async () => (await import('#web/screens/market/market-screen.tsx')).MarketScreen, ['trading']),
  trade: main(async () => (await import('#web/screens/trade/trade-screen.tsx')).TradeScreen, ['trading']),
  wallet: main(async () => (await import('#web/screens/wallet/wallet-screen.tsx')).WalletScreen),
  login: first(async () => (await import('#web/screens/login/login-screen.tsx')).LoginScreen),
  signup: deep(async () => (await import('#web/screens/signup/signup-screen.tsx')).SignupScreen),
  forgot_password: deep(
    async () => (await import('#web/screens/forgot-password/forgot-password-screen.tsx')).ForgotPasswordScreen,
  ),
  reset_password: deep(
    async () => (await import('#web/screens/reset-password/reset-password-screen.tsx')).ResetPasswordScreen,
  ),
  verification: deep(
    async () => (await import('#web/screens/verification/verification-screen.tsx')).VerificationScreen,
  ),
  account: deep(async () => (await import('#web/screens/account/account-screen.tsx')).AccountScreen),
  accountHistory: deep(
    async () => (await import('#web/screens/account-history/account-history-screen.tsx')).AccountHistoryScreen,
  ),
  changePassword: deep(
    async () => (await import('#web/screens/change-password/change-password-screen.tsx')).ChangePasswordScreen,
  ),
  security: deep(async () => (await import('#web/screens/security/security-screen.tsx')).SecurityScreen),
  limits: deep(async () => (await import('#web/screens/limits/limits-screen.tsx')).LimitsScreen),
  statement: deep(async () => (await import('#web/screens/statement/statement-screen.tsx')).StatementScreen),
  figures: deep(async () => (await import('#web/screens/figures/figures-screen.tsx')).FiguresScreen),
  profile: deep(async () => (await import('#web/screens/profile/profile-screen.tsx')).ProfileScreen),
  edit_profile: deep(async () => (await import('#web/screens/edit-profile/edit-profile-screen.tsx')).EditProfileScreen),
  profile_picture: deep(
    async () => (await import('#web/screens/profile-picture/profile-picture-screen.tsx')).ProfilePictureScreen,
  ),
  options: deep(async () => (await import('#web/screens/options/options-screen.tsx')).OptionsScreen),
  keys: deep(async () => (await import('#web/screens/keys/keys-screen.tsx')).KeysScreen),
  data: deep(async () => (await import('#web/screens/data/data-screen.tsx')).DataScreen),
  close: deep(async () => (await import('#web/screens/close/close-screen.tsx')).CloseScreen),
  terms_of_use: deep(async () => (await import('#web/screens/terms-of-use/terms-of-use-screen.tsx')).TermsOfUseScreen),
  alerts: deep(async () => (await import('#web/screens/alerts/alerts-screen.tsx')).AlertsScreen),
  inbox: deep(async () => (await import('#web/screens/inbox/inbox-screen.tsx')).InboxScreen),
  notice: deep(async () => (await import('#web/screens/notice/notice-screen.tsx')).NoticeScreen),
  unsubscribe: deep(async () => (await import('#web/screens/unsubscribe/unsubscribe-screen.tsx')).UnsubscribeScreen),
  recover: deep(async () => (await import('#web/screens/recover/recover-screen.tsx')).RecoverScreen),
  stop_recovery: deep(
    async () => (await import('#web/screens/stop-recovery/stop-recovery-screen.tsx')).StopRecoveryScreen,
  ),
  outbox: deep(async () => (await import('#web/screens/outbox/outbox-screen.tsx')).OutboxScreen),
  deposit: deep(async () => (await import('#web/screens/deposit/deposit-screen.tsx')).DepositScreen),
  deposit_history: deep(
    async () => (await import('#web/screens/deposit-history/deposit-history-screen.tsx')).DepositHistoryScreen,
  ),
  leave: deep(async () => (await import('#web/screens/leave/leave-screen.tsx')).LeaveScreen),
  withdraw: deep(async () => (await import('#web/screens/withdraw/withdraw-screen.tsx')).WithdrawScreen),
  withdrawal_history: deep(
    async () => (await import('#web/screens/withdrawal-history/withdrawal-history-screen.tsx')).WithdrawalHistoryScreen,
  ),
  withdrawalMethods: deep(
    async () => (await import('#web/screens/withdrawal-methods/withdrawal-methods-screen.tsx')).WithdrawalMethodsScreen,
  ),
  PaymentMethod: deep(
    async () => (await import('#web/screens/payment-method/payment-method-screen.tsx')).PaymentMethodScreen,
  ),
  withdawPin: deep(async () => (await import('#web/screens/withdraw-pin/withdraw-pin-screen.tsx')).WithdrawPinScreen),
  transaction_history: deep(
    async () =>
      (await import('#web/screens/transaction-history/transaction-history-screen.tsx')).TransactionHistoryScreen,
  ),
  informationPage: deep(
    async () => (await import('#web/screens/information-page/information-page-screen.tsx')).InformationPageScreen,
  ),
  post: deep(async () => (await import('#web/screens/post/post-screen.tsx')).PostScreen),
  test: deep(async () => (await import('#web/screens/test/test-screen.tsx')).TestScreen),
  languages: deep(async () => (await import('#web/screens/languages/languages-screen.tsx')).LanguagesScreen),
  liabilities: deep(async () => (await import('#web/screens/liabilities/liabilities-screen.tsx')).LiabilitiesScreen),
  fairness: deep(async () => (await import('#web/screens/fairness/fairness-screen.tsx')).FairnessScreen),
  no_control: deep(async () => (await import('#web/screens/no-control/no-control-screen.tsx')).NoControlScreen),
  prices: deep(async () => (await import('#web/screens/prices/prices-screen.tsx')).PricesScreen),
  register: deep(async () => (await import('#web/screens/register/register-screen.tsx')).RegisterScreen),
  changes: deep(async () => (await import('#web/screens/changes/changes-screen.tsx')).ChangesScreen),
  incidents: deep(async () => (await import('#web/screens/incidents/incidents-screen.tsx')).IncidentsScreen),
  tickets: deep(async () => (await import('#web/screens/tickets/tickets-screen.tsx')).TicketsScreen),
  new_ticket: deep(async () => (await import('#web/screens/tickets/new-ticket-screen.tsx')).NewTicketScreen),
  ticket: deep(async () => (await import('#web/screens/tickets/ticket-screen.tsx')).TicketScreen),
  check: deep(async () => (await import('#web/screens/check/check-screen.tsx')).CheckScreen),
  not_found: main(async () => (await import('#web/screens/not-found/not-found-screen.tsx')).NotFoundScreen),
}

type Load = () => Promise<ComponentType<ScreenProps>>

function main(load: Load, texts: readonly LaterTexts[] = ['trading', 'more']): Route {
  const loadWithTexts = async () => {
    const [Screen] = await Promise.all([load(), ...texts.map(loadTexts)])
    return Screen
  }
  return { Screen: preloadable(loadWithTexts), isMain: true }
}

function deep(load: Load): Route {
  return { ...main(load), isMain: false }
}

/** A screen whose texts are part of the app: the log-in. */
function first(load: Load): Route {
  return { Screen: preloadable(load), isMain: false }
}
