import { row, testsIn } from '#test/specification/row.ts'

const open = testsIn('e2e/screens/public.spec.ts')
const account = testsIn('e2e/screens/account.spec.ts')
const wallet = testsIn('e2e/screens/wallet.spec.ts')
const trade = testsIn('e2e/screens/trade.spec.ts')
const job = testsIn('e2e/journeys/main-job.spec.ts')
const refused = testsIn('e2e/journeys/refused-orders.spec.ts')
const withdraw = testsIn('e2e/screens/withdraw.spec.ts')
const content = testsIn('e2e/screens/content.spec.ts')
const steps = testsIn('src/core/navigation/withdraw-flow.test.ts')
const recent = testsIn('src/web/screens/trade/recent-trades.test.tsx')
const reset = testsIn('e2e/journeys/reset-password.spec.ts')
const picture = testsIn('e2e/journeys/profile.spec.ts')
const withdrawal = testsIn('e2e/journeys/withdrawal.spec.ts')
const gates = testsIn('e2e/journeys/gates.spec.ts')
const home = testsIn('e2e/journeys/home-and-pages.spec.ts')
const deposit = testsIn('e2e/journeys/deposit.spec.ts')
const rules = testsIn('src/web/symbols/market-rules.test.ts')
const flow = testsIn('src/web/screens/trade/order-flow.test.ts')
const result = testsIn('src/web/screens/trade/result-panel.test.tsx')
const pager = testsIn('src/ui/pager.test.tsx')
const signup = testsIn('src/web/screens/signup/signup-screen.test.tsx')

/** The contents of each screen. */
export const SCREENS = {
  title: 'Screens',
  rows: [
    row(
      'header',
      'logo or back arrow, log in and out, theme, language',
      open('the header has the logo, log-in, the theme and the language'),
      testsIn('src/web/shell/headers.test.tsx')('F55: the trade header has log-out, theme and language in its menu'),
    ),
    row(
      'home: steps',
      'Create Account leads to the sign-up, Start Trading to the market',
      open('home links from Create Account to the sign-up and from Start Trading to the market'),
    ),
    row(
      'home: lifestyle',
      'three cards: posts, live stream, chatroom; the last two once the operator has named their links',
      open('home shows the headline, the two steps, the lifestyle cards'),
      testsIn('src/web/screens/home/home-screen.test.tsx')('F38: shows the cards for stream and chatroom'),
    ),
    row(
      'home: picture',
      'an image about trading anywhere',
      open('home shows the headline, the two steps, the lifestyle cards, the picture'),
    ),
    row(
      'home: questions',
      'four, one open at a time, with Help & Support',
      open('home answers four questions, one at a time'),
      testsIn('src/ui/accordion.test.tsx')('opens one answer at a time and closes it again'),
    ),
    row(
      'home: slider',
      'three banners that move on by themselves',
      home('the banners advance automatically until they are paused'),
    ),
    row(
      'market: featured',
      'a strip of featured symbols of the kind in view; one opens trade',
      open('the market shows featured symbols'),
      trade('featured symbols and rows open the trade screen'),
      rules('featured symbols are those of the market'),
    ),
    row(
      'market: lists',
      'All, Top and Favorites with name, price and change',
      open('the market shows featured symbols, three lists and the columns'),
      rules('the rows of a tab > all sorted by null'),
    ),
    row(
      'market: top',
      'by change or by price, highest first',
      rules('the rows of a tab > top sorted by null'),
      rules('the rows of a tab > top sorted by {"by":"price"'),
    ),
    row(
      'market: favorites',
      'a star marks, the list shows the marked only',
      trade('featured symbols and rows open the trade screen, and a star makes a favorite'),
      rules('the rows of a tab > favorites sorted by null'),
    ),
    row(
      'trade: parts',
      'symbol, price, change, figures, intervals, chart, transactions, buttons',
      trade('the trade screen has the symbol, price, figures, intervals, chart'),
    ),
    row(
      'trade: order form',
      'expiry, balance, amount, quick amounts, submit, cancel',
      trade('the order form has expiries, balance, amount'),
    ),
    row(
      'trade: flow',
      'countdown, waiting, result, continue',
      job('a newcomer signs up, deposits, trades, and sees the result that the prices give'),
      flow('time over waits for the price'),
      flow('continue starts over'),
    ),
    row(
      'trade: result',
      'you won, you lose, draw',
      result('P17: shows acceptance, entry, expiry, exit and next tick with milliseconds, in this order'),
      result('a loss has the same panel'),
      result('a draw shows the returned stake'),
    ),
    row(
      'trade: transactions',
      'tabs public and own; only own while the market is closed',
      trade('the trade screen has the symbol, price, figures'),
      recent("a closed market shows only the user's own trades"),
    ),
    row('wallet: balance', 'name, balance with symbol, credits, menu', wallet('the wallet shows balance and credits')),
    row(
      'login',
      'password shown and hidden, link to the sign-up',
      open('the log-in has name and password, reveals it on request, and links to the sign-up'),
    ),
    row(
      'signup',
      'its fields, the agreement ticked, no space in the username',
      open('the sign-up has all its fields'),
      signup('F56: the placeholder of the password'),
      signup('opens the account, shows the success, and redirects two seconds later'),
    ),
    row(
      'signup: access code',
      'only while the setting asks for it',
      signup('shows the access code field only when a code is required'),
    ),
    row(
      'account',
      'avatar, name, tags, links',
      account("the account shows the user's identity and links to its pages"),
      testsIn('src/web/screens/account/status-words.test.tsx')(
        'F25: account and profile show the same status texts for',
      ),
    ),
    row(
      'profile',
      'verification, tier, picture, UID, rows',
      account('the profile shows verification, tier, UID, and rows that explain themselves'),
    ),
    row(
      'verification',
      'says so when verified; else code, resend, verify',
      account('the verification accepts a code, sends another one, and is done once'),
    ),
    row(
      'forgot password',
      'an address, then the code, then the new password',
      reset('a password reset with a code logs out every device'),
    ),
    row(
      'reset password',
      'password, confirmation, address; then home',
      reset('a password reset with a code logs out every device'),
    ),
    row(
      'profile picture',
      'a file, its preview, clear and save',
      picture('a picture is chosen, cropped, saved, kept after a reload and removed'),
    ),
    row(
      'edit profile',
      'names, username, phone, country, address',
      account('editing the profile requires its mandatory fields and keeps all of them'),
    ),
    row(
      'options',
      'currency, colours, time, indicator, haptics, stablecoin, display',
      account('the options offer every choice and keep them'),
    ),
    row(
      'options: languages',
      'fifteen names, those that are offered switch to it',
      testsIn('src/web/screens/options/language-choice.test.tsx')('F50: the options list fifteen names'),
    ),
    row(
      'loading',
      'an indicator with text after a second',
      testsIn('src/web/shell/loading-pill.test.tsx')('F57: shows a text after one second'),
    ),
    row(
      'change password',
      'current, new, confirmation',
      account('changing the password needs three fields and shows its success'),
    ),
    row(
      'deposit',
      'gateway, amount, fields, address to copy, summary',
      wallet('the deposit has a gateway to choose, an amount, and a summary of rate and fee'),
      testsIn('src/web/screens/deposit/deposit-form.test.tsx')(
        'shows the terms, address and fields of another gateway',
      ),
    ),
    row('deposit history', 'cards with pages', wallet('the deposit history lists deposits as cards, four per page')),
    row(
      'transaction history',
      'tabs Pending and Closed',
      wallet('the transactions have the tabs Pending and Closed'),
      job('a newcomer signs up'),
    ),
    row(
      'wallet: my wallet',
      'deposit, withdraw, withdrawal methods',
      wallet('the wallet shows balance and credits, and links to its pages'),
    ),
    row(
      'wallet: history',
      'deposit, withdrawal, transaction',
      wallet('the wallet shows balance and credits, and links to its pages'),
    ),
    row(
      'wallet: help centre',
      'pages, links, language',
      wallet('the wallet shows balance and credits'),
      content('an information page shows its name and text, and is linked from the help centre'),
    ),
    row(
      'home: bonus',
      'the promise of what beginner tasks pay',
      open('home promises the rewards of the beginner tasks'),
      testsIn('src/core/wallet/beginner-tasks.test.ts')('the tasks pay 6,666 credits in total by default'),
    ),
    row(
      'withdrawal methods',
      'each with view or add Information',
      withdraw('the withdrawal methods show whether details are saved'),
    ),
    row(
      'payment method',
      'a form from the definition of the method',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row(
      'withdrawal PIN',
      'the current one only when there is one',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row(
      'withdraw',
      'method, amount, PIN, summary; then what was sent',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
      steps('withdrawStep > asks for the details of the only method'),
    ),
    row(
      'withdrawal history',
      'cards with status and answer',
      withdraw('withdrawing first leads to the PIN and the details, and returns each time'),
    ),
    row('withdrawals closed', 'only the reason, in a red alert', withdrawal('closed withdrawals show only the reason')),
    row(
      'withdrawal rejected',
      'shows the answer of the operator',
      withdrawal("a rejected withdrawal returns to the balance, with the operator's reason"),
    ),
    row('deposits off', 'no deposit anywhere', deposit('closed deposits cannot be reached')),
    row('deposit: wallet address', 'with a button to copy', deposit('a wallet address can be copied')),
    row(
      'deposit: receipt',
      'a file beside the other fields',
      deposit('an approved deposit with a proof of payment updates its open page'),
    ),
    row(
      'trade: market closed',
      'says so in the place of the buttons',
      gates('a market closed by hand accepts no orders until it is reopened'),
    ),
    row(
      'trade: not allowed',
      'the reason of the user who may not trade',
      gates('a user with trading off reads why, and trades again once it is on'),
    ),
    row('information page', 'name and text', content('an information page shows its name and text')),
    row(
      'pages',
      'previous, next, up to three numbers, back to the top',
      pager('Pager > shows up to three numbers around the current page'),
      pager('Pager > stops at both ends, marks the page and moves the focus'),
    ),
    row(
      'languages',
      'the list; choosing one starts anew',
      open('the languages are listed by their native names, and choosing one restarts the app in it'),
    ),
    row(
      'refused orders',
      'disabled, invalid and refused are told on the form',
      refused('the form names the error of an amount and cannot be sent'),
    ),
  ],
}
