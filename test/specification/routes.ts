import { row } from '#test/specification/row.ts'

/** Every screen by name, with its path. */
export const ROUTES = {
  title: 'Routes',
  rows: [
    row('RT1', 'home', '/'),
    row('RT2', 'market', '/market'),
    row('RT3', 'trade', '/trade/:symbol?'),
    row('RT4', 'wallet', '/wallet'),
    row('RT5', 'login', '/login'),
    row('RT6', 'signup', '/signup'),
    row('RT7', 'forgot_password', '/forgot-password'),
    row('RT8', 'reset_password', '/reset-password'),
    row('RT9', 'profile_picture', '/profile/picture'),
    row('RT10', 'account', '/account'),
    row('RT11', 'accountHistory', '/account/history'),
    row('RT12', 'changePassword', '/account/password'),
    row('RT13', 'profile', '/profile'),
    row('RT14', 'verification', '/profile/verification'),
    row('RT15', 'edit_profile', '/profile/edit'),
    row('RT16', 'options', '/profile/options'),
    row('RT17', 'deposit_history', '/history/deposit'),
    row('RT18', 'transaction_history', '/history/transaction'),
    row('RT19', 'withdrawalMethods', '/account/withdrawal-methods'),
    // The specification spells this name without the letter r.
    row('RT20', 'withdawPin', '/account/withdraw-pin'),
    row('RT21', 'PaymentMethod', '/account/payment-method/:id'),
    row('RT22', 'withdrawal_history', '/history/withdrawal'),
    row('RT23', 'withdraw', '/withdraw'),
    row('RT24', 'informationPage', '/page/:slug'),
    row('RT25', 'post', '/post/:slug?'),
    row('RT26', 'test', '/test'),
    row('RT27', 'deposit', '/deposit'),
    row('RT28', 'languages', '/languages'),
    row('RT29', 'not_found', 'any other path'),
  ],
}
