import { row, testsIn } from '#test/specification/row.ts'

const client = testsIn('src/server/app/specification.test.ts')
const auth = testsIn('src/server/users/log-in/auth.test.ts')
const verification = testsIn('src/server/users/verification/verification.test.ts')
const profile = testsIn('src/server/users/profile/profile.test.ts')
const markets = testsIn('src/server/trading/market-list/markets.test.ts')
const trades = testsIn('src/server/trading/orders/trades.test.ts')
const deposits = testsIn('src/server/payments/deposits/deposits.test.ts')
const withdrawals = testsIn('src/server/payments/withdrawals/withdrawals.test.ts')
const pins = testsIn('src/server/payments/withdrawals/pins.test.ts')
const settings = testsIn('src/server/site/public-settings/settings.test.ts')
const reset = testsIn('src/server/users/password-reset/password-reset.test.ts')
const webCalls = testsIn('src/web/api/call.test.tsx')
const ticks = testsIn('src/server/market-data/tick-archive/tick-day.test.ts')
const access = testsIn('test/security/access.test.ts')

export const CALLS = {
  title: 'Calls',
  rows: [
    row(
      'GET /user/general-setting',
      'answers the settings of the site to anyone',
      client('GET /user/general-setting'),
      settings('returns the site settings and the time'),
    ),
    row(
      'POST /user/auth/register',
      'opens an account and answers the user and the image path',
      client('POST /user/auth/register'),
      auth('register > creates an unverified account with balance 0'),
    ),
    row(
      'POST /user/auth/login',
      'answers user, image path and the customer-service link',
      client('POST /user/auth/login'),
      auth('login > opens a session for a name in any case'),
    ),
    row(
      'POST /user/auth/forgetPassword',
      'sends a code to an email or phone number',
      client('the three calls of a forgotten password'),
      reset('requesting a code > gives the same reply for an unknown account, and sends nothing'),
    ),
    row(
      'POST /user/auth/verifyCode',
      'checks the code without using it up',
      client('the three calls of a forgotten password'),
    ),
    row(
      'POST /user/auth/resetPassword',
      'sets a new password with the code as token',
      client('the three calls of a forgotten password'),
      reset('sets a new password with the code, once, and ends every session'),
    ),
    row(
      'past days of ticks',
      'gives anyone a past day of the tick log, with all that is needed to check it',
      ticks('proves a day by its file, and continues where the previous day ended'),
      ticks('refuses a day that is not over, was empty, or was removed'),
      ticks('confirms a cached file, and limits requests'),
    ),
    row(
      'POST /user/profile/image',
      'takes a picture as a file',
      testsIn('src/server/users/profile/picture.test.ts')(
        'stores a picture and serves it to every caller who knows its name',
      ),
    ),
    row(
      'GET /user/countries',
      'answers the countries with their dialling codes',
      client('GET /user/countries'),
      settings('countries > come sorted by name with their dialling codes'),
    ),
    row(
      'GET /user/crypto-currency/list',
      'answers trade settings, quick amounts, payout and symbols',
      client('GET /user/crypto-currency/list'),
      markets('the market list > contains every symbol, the settings and the markets, for visitors too'),
    ),
    row(
      'GET /user/crypto-currency/list/favorites',
      'answers the same, favorites only',
      client('GET /user/crypto-currency/list/favorites'),
    ),
    row(
      'POST /user/crypto-currency/favorite',
      'flips the favorite flag and answers it',
      client('POST /user/crypto-currency/favorite'),
      markets('favourites > are added and removed, belong to one user and can be listed alone'),
    ),
    row(
      'POST /user/kline-historical',
      'answers candles as rows of six numbers',
      client('POST /user/kline-historical'),
      markets('candles > come in ascending order, the open one last, for any spelling of the symbol'),
    ),
    row(
      'POST /user/latest_trades',
      'answers the newest trades of a symbol',
      client('POST /user/latest_trades'),
      trades('shows every visitor the newest orders of a symbol with masked names, bots marked'),
    ),
    row(
      'GET /user/trade-log/recent',
      'answers the own trades',
      client('GET /user/trade-log/recent'),
      trades('shows an order from acceptance to its result, with the ticks that decided it'),
    ),
    row(
      'POST /user/trade/result',
      'the older path answers the stored result',
      client('POST /user/trade/result'),
      trades('serves the legacy path from stored data, whatever price is sent'),
    ),
    row('GET /user/profile', 'answers the user with the balance', client('GET /user/profile')),
    row(
      'POST /user/profile',
      'saves the profile and answers the user',
      client('POST /user/profile'),
      profile('saving the profile > stores every field and returns the account'),
    ),
    row(
      'POST /user/profile/password',
      'changes the password',
      client('POST /user/profile/password'),
      profile('changing the password > accepts the new password and refuses the old one'),
    ),
    row(
      'POST /user/profile/withdrawal-code',
      'sets the withdrawal PIN',
      client('POST /user/profile/withdrawal-code'),
      pins('setting the PIN > needs the current PIN from then on'),
    ),
    row(
      'GET /user/pages',
      'answers the custom pages and the image path',
      client('GET /user/pages and GET /user/pages/{slug}'),
    ),
    row(
      'GET /user/pages/{slug}',
      'answers name and content of a page',
      client('GET /user/pages and GET /user/pages/{slug}'),
    ),
    row(
      'POST /user/email-verify/verify',
      'verifies the account; all sessions end',
      client('POST /user/email-verify and POST /user/email-verify/verify'),
      verification('verifies with the code, ends every session and allows a new log-in'),
    ),
    row(
      'POST /user/email-verify',
      'sends the code again',
      client('POST /user/email-verify and POST /user/email-verify/verify'),
      verification('sends at most one code a minute and five an hour, and returns the masked address'),
    ),
    row(
      'GET /user/payment-gateways/withdraw',
      'answers the withdrawal methods and whether withdrawals are open',
      client('GET /user/payment-gateways/withdraw'),
      withdrawals("methods > include the user's saved details"),
    ),
    row(
      'GET /user/payment-gateways/deposit',
      'answers the deposit gateways',
      client('GET /user/payment-gateways/deposit'),
    ),
    row(
      'GET /user/withdrawals/user-withdrawals/{id}',
      'answers the form of a method or what is saved in it',
      client('GET /user/withdrawals/user-withdrawals/{id}'),
      withdrawals("methods > return the form with the user's own values"),
    ),
    row(
      'POST /user/withdrawals/user-withdrawals',
      'saves the details of a method by label',
      client('POST /user/withdrawals/user-withdrawals'),
    ),
    row(
      'GET /user/deposits',
      'answers the own deposits',
      client('GET /user/deposits'),
      deposits('the list > returns pages of the requested size'),
    ),
    row(
      'GET /user/withdrawals',
      'answers the own withdrawals',
      client('GET /user/withdrawals'),
      withdrawals('the list > returns pages of the requested size'),
    ),
    row('GET /user/transactions/pending', 'answers the running orders', client('GET /user/transactions/pending')),
    row('GET /user/transactions', 'answers the closed orders', client('GET /user/transactions')),
    row(
      'POST /user/deposits/save',
      'takes a deposit as a form with named fields',
      client('POST /user/deposits/save'),
      deposits('reads multipart forms as clients of the specification send them'),
    ),
    row('POST /user/withdrawals/save', 'takes a withdrawal with its PIN', client('POST /user/withdrawals/save')),
    row(
      'bearer token',
      'a token is attached to calls while there is one',
      webCalls('sends the token and the language, and returns the data'),
      access('S2: routes × roles > admit exactly the listed callers: every cell '),
    ),
    row(
      'locale header',
      'texts of the server come in the stored language',
      webCalls('sends the token and the language, and returns the data'),
      settings('countries > use the language of '),
    ),
  ],
}
