import { row, testsIn } from '#test/specification/row.ts'

const open = testsIn('e2e/screens/public.spec.ts')
const account = testsIn('e2e/screens/account.spec.ts')
const wallet = testsIn('e2e/screens/wallet.spec.ts')
const trade = testsIn('e2e/screens/trade.spec.ts')
const withdraw = testsIn('e2e/screens/withdraw.spec.ts')
const content = testsIn('e2e/screens/content.spec.ts')
const reset = testsIn('e2e/journeys/reset-password.spec.ts')
const profile = testsIn('e2e/journeys/profile.spec.ts')
const paths = testsIn('src/core/navigation/where-to.test.ts')

/** Every screen by name, with its path. */
export const ROUTES = {
  title: 'Routes',
  rows: [
    row('home', '/', open('home shows the headline'), paths('matching paths > / is home')),
    row(
      'market',
      '/market',
      open('the market shows featured symbols, three lists'),
      paths('matching paths > /market/ is market'),
    ),
    row(
      'trade',
      '/trade/:symbol?',
      trade('the trade screen has the symbol'),
      trade('trade without a symbol opens one, and an unlisted symbol shows an error'),
    ),
    row('wallet', '/wallet', wallet('the wallet shows balance and credits')),
    row('login', '/login', open('the log-in has name and password, reveals it on request, and links to the sign-up')),
    row('signup', '/signup', open('the sign-up has all its fields')),
    row('forgot_password', '/forgot-password', reset('a password reset with a code logs out every device')),
    row('reset_password', '/reset-password', reset('the page for a new password needs a code')),
    row(
      'profile_picture',
      '/profile/picture',
      profile('a picture is chosen, cropped, saved, kept after a reload and removed'),
    ),
    row('account', '/account', account("the account shows the user's identity and links to its pages")),
    row(
      'accountHistory',
      '/account/history',
      account('the history of the account shows the latest entries of each kind'),
    ),
    row(
      'changePassword',
      '/account/password',
      account('changing the password needs three fields and shows its success'),
    ),
    row('profile', '/profile', account('the profile shows verification, tier, UID, and rows that explain themselves')),
    row(
      'verification',
      '/profile/verification',
      account('the verification accepts a code, sends another one, and is done once'),
    ),
    row(
      'edit_profile',
      '/profile/edit',
      account('editing the profile requires its mandatory fields and keeps all of them'),
    ),
    row('options', '/profile/options', account('the options offer every choice and keep them')),
    row('deposit_history', '/history/deposit', wallet('the deposit history lists deposits as cards, four per page')),
    row('transaction_history', '/history/transaction', wallet('the transactions have the tabs Pending and Closed')),
    row(
      'withdrawalMethods',
      '/account/withdrawal-methods',
      withdraw('the withdrawal methods show whether details are saved'),
    ),
    // The specification spells it so.
    row(
      'withdawPin',
      '/account/withdraw-pin',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row(
      'PaymentMethod',
      '/account/payment-method/:id',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row(
      'withdrawal_history',
      '/history/withdrawal',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
      withdraw('an account without withdrawal methods shows a message'),
    ),
    row('withdraw', '/withdraw', withdraw('withdrawing first leads to the PIN and the details, and returns each time')),
    row('informationPage', '/page/:slug', content('an information page shows its name and text')),
    row('post', '/post/:slug?', content('the posts are listed and open one by one')),
    row('test', '/test', content('the test page has the chart')),
    row('deposit', '/deposit', wallet('the deposit has a gateway to choose, an amount, and a summary of rate and fee')),
    row(
      'languages',
      '/languages',
      open('the languages are listed by their native names, and choosing one restarts the app in it'),
    ),
    row(
      'not_found',
      'any other path',
      open('an address without a page shows Page Not Found'),
      paths('matching paths > /nowhere is not_found'),
    ),
  ],
}
