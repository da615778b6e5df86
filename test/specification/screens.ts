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
      open('the header has the logo, log in, the theme and the language'),
      testsIn('src/web/shell/headers.test.tsx')('F55: the trade header has log out, theme and language in its menu'),
    ),
    row(
      'home: steps',
      'Create Account leads to the sign-up, Start Trading to the market',
      open('home leads from Create Account to the sign-up'),
    ),
    row(
      'home: lifestyle',
      'three cards: posts, live stream, chatroom; the last two once the operator has named their links',
      open('home shows the headline, the two steps, the lifestyle cards'),
      testsIn('src/web/screens/home/home-screen.test.tsx')('F38: shows the cards of stream and chatroom'),
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
      home('the banners move on by themselves until they are paused'),
    ),
    row(
      'market: featured',
      'a strip of featured symbols of the kind in view; one opens trade',
      open('the market shows featured symbols'),
      trade('featured symbols and rows open the trade screen'),
      rules('featured are those of the market'),
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
      job('a newcomer signs up, pays in, trades'),
      flow('time over waits for the price'),
      flow('continue starts over'),
    ),
    row(
      'trade: result',
      'you won, you lose, draw',
      result('P17: shows accepted, entry, expiry, exit and next with their milliseconds, in this order'),
      result('a loss has the same page'),
      result('a draw says that the stake is back'),
    ),
    row(
      'trade: transactions',
      'tabs public and own; only own while the market is closed',
      trade('the trade screen has the symbol, price, figures'),
      recent('a closed market has the own trades only'),
    ),
    row('wallet: balance', 'name, balance with symbol, credits, menu', wallet('the wallet shows balance and credits')),
    row(
      'login',
      'password shown and hidden, link to the sign-up',
      open('the log-in asks for name and password, shows it on request'),
    ),
    row(
      'signup',
      'its fields, the agreement ticked, no space in the username',
      open('the sign-up has all its fields'),
      signup('F56: the placeholder of the password'),
      signup('opens the account, says so, and goes on two seconds later'),
    ),
    row(
      'signup: access code',
      'only while the setting asks for it',
      signup('asks for the access code only where it is needed'),
    ),
    row(
      'account',
      'avatar, name, tags, links',
      account('the account shows who one is, and leads on'),
      testsIn('src/web/screens/account/status-words.test.tsx')('F25: account and profile use the same words for'),
    ),
    row('profile', 'verification, tier, picture, UID, rows', account('the profile shows verification, tier and UID')),
    row(
      'verification',
      'says so when verified; else code, resend, verify',
      account('the verification takes a code, sends another one, and is done once'),
    ),
    row(
      'forgot password',
      'an address, then the code, then the new password',
      reset('a forgotten password: a code, a new password'),
    ),
    row(
      'reset password',
      'password, confirmation, address; then home',
      reset('a forgotten password: a code, a new password'),
    ),
    row('profile picture', 'a file, its preview, clear and save', picture('a picture is chosen, cut, saved')),
    row(
      'edit profile',
      'names, username, phone, country, address',
      account('editing the profile asks for what it needs and keeps all of it'),
    ),
    row(
      'options',
      'currency, colours, time, indicator, haptics, stablecoin, display',
      account('the options have every choice, and keep them'),
    ),
    row(
      'options: languages',
      'fifteen names, those that are offered switch to it',
      testsIn('src/web/screens/options/language-choice.test.tsx')('F50: the options list fifteen names'),
    ),
    row(
      'loading',
      'an indicator with text after a second',
      testsIn('src/web/shell/loading-pill.test.tsx')('F57: says in words that a page is loading'),
    ),
    row('change password', 'current, new, confirmation', account('changing the password asks for three')),
    row(
      'deposit',
      'gateway, amount, fields, address to copy, summary',
      wallet('the deposit has a gateway to pick'),
      testsIn('src/web/screens/deposit/deposit-form.test.tsx')(
        'another gateway brings its own terms, address and fields',
      ),
    ),
    row('deposit history', 'cards with pages', wallet('the deposit history lists deposits as cards, four a page')),
    row(
      'transaction history',
      'tabs Pending and Closed',
      wallet('the transactions have the tabs Pending and Closed'),
      job('a newcomer signs up'),
    ),
    row(
      'wallet: my wallet',
      'deposit, withdraw, withdrawal methods',
      wallet('the wallet shows balance and credits, and leads to all'),
    ),
    row(
      'wallet: history',
      'deposit, withdrawal, transaction',
      wallet('the wallet shows balance and credits, and leads to all'),
    ),
    row(
      'wallet: help centre',
      'pages, links, language',
      wallet('the wallet shows balance and credits'),
      content('an information page shows its name and text, and is reached from the help centre'),
    ),
    row(
      'home: bonus',
      'the promise of what beginner tasks pay',
      open('home promises what the beginner tasks pay'),
      testsIn('src/core/wallet/beginner-tasks.test.ts')(
        'the tasks pay 6,666 credits in all until an operator says otherwise',
      ),
    ),
    row(
      'withdrawal methods',
      'each with view or add Information',
      withdraw('the withdrawal methods say whether details are saved'),
    ),
    row(
      'payment method',
      'a form from the definition of the method',
      withdraw('withdrawing asks for a PIN and for details first'),
    ),
    row(
      'withdrawal PIN',
      'the current one only when there is one',
      withdraw('withdrawing asks for a PIN and for details first'),
    ),
    row(
      'withdraw',
      'method, amount, PIN, summary; then what was sent',
      withdraw('withdrawing asks for a PIN and for details first'),
      steps('what comes first > one without'),
    ),
    row(
      'withdrawal history',
      'cards with status and answer',
      withdraw('withdrawing asks for a PIN and for details first'),
    ),
    row(
      'withdrawals closed',
      'only the reason, in a red alert',
      withdrawal('while withdrawals are closed there is nothing but the reason'),
    ),
    row('withdrawal rejected', 'shows the answer of the operator', withdrawal('a rejected one is back in the balance')),
    row('deposits off', 'no deposit anywhere', deposit('with deposits off there is no way in')),
    row('deposit: wallet address', 'with a button to copy', deposit('a wallet address can be copied')),
    row('deposit: receipt', 'a file beside the other fields', deposit('a deposit with a receipt is approved')),
    row(
      'trade: market closed',
      'says so in the place of the buttons',
      gates('a market closed by hand takes no orders'),
    ),
    row('trade: not allowed', 'the reason of the user who may not trade', gates('a user who may not trade reads why')),
    row('information page', 'name and text', content('an information page shows its name and text')),
    row(
      'pages',
      'previous, next, up to three numbers, back to the top',
      pager('Pager > shows up to three numbers around the page'),
      pager('Pager > stops at both ends, marks the page and moves the focus'),
    ),
    row('languages', 'the list; choosing one starts anew', open('the languages are listed by their own names')),
    row(
      'refused orders',
      'disabled, invalid and refused are told on the form',
      refused('the form says what is wrong with an amount, and cannot be sent'),
    ),
  ],
}
