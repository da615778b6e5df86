import { row, testsIn } from '#test/specification/row.ts'

const open = testsIn('e2e/screens/public.spec.ts')
const refused = testsIn('e2e/journeys/refused-orders.spec.ts')
const calls = testsIn('src/web/api/call.test.tsx')
const fields = testsIn('src/web/screens/trade/order-fields.test.tsx')
const market = testsIn('src/web/screens/market/market-screen.test.tsx')
const recent = testsIn('src/web/screens/trade/recent-trades.test.tsx')
const lost = testsIn('e2e/journeys/lost-connection.spec.ts')
const withdraw = testsIn('e2e/screens/withdraw.spec.ts')

/** The consequences of a failed call or order. */
export const ERRORS = {
  title: 'Failures',
  rows: [
    row(
      '422',
      'the words of the server, in a red alert',
      calls('a refusal brings its code, words and fields'),
      open('a refused log-in > is told in a red alert'),
    ),
    row('404', 'the words of the server', calls('a 404 brings the words of the server')),
    row('anything else', 'Server Error', calls('a fault is a Server Error, whatever it says')),
    row(
      '401 and 403',
      'log out',
      calls('a 401 while signed in ends the session'),
      calls('a 403 while signed in ends the session'),
    ),
    row(
      'trade error',
      'in a red alert above the order form',
      refused('what the server refuses stands above the form in red'),
      fields('a refusal stands above the form in the server'),
    ),
    row(
      'favorite',
      'a mark that is not taken goes back without a word',
      market('a star that the server does not take goes out again without a word'),
    ),
    row('no connection', 'is told apart from an answer', calls('no answer is told apart from a refusal')),
  ],
}

/** The texts shown where something is missing. */
export const ERROR_TEXTS = {
  title: 'Error texts',
  rows: [
    row('Server Error', 'any other failure of a call', calls('a fault is a Server Error, whatever it says')),
    row('market is closed', 'where a market is closed', market('a closed market says so above its symbols')),
    row('insufficient balance', 'on the order form', refused('without money every amount is too much')),
    row('transactions not found', 'where there are no trades', recent('a closed market has the own trades only')),
    row('loading transactions', 'while trades are asked for', recent('own trades that are not there yet are loading')),
    row(
      'please wait a minute',
      'while an order waits for its price',
      lost('without sockets prices are not called live'),
    ),
    row('No Data', 'where a list is empty', withdraw('an account without withdrawals says so')),
    row('Page Not Found', 'at an address without a page', open('an address without a page says Page Not Found')),
    row(
      'unable to load data, try again later',
      'where the market cannot be loaded',
      market('a list that cannot be loaded says so, stops loading'),
    ),
    row(
      'currently no withdrawal methods available for your account',
      'where there are none',
      testsIn('src/web/screens/withdrawal-methods/withdrawal-methods-screen.test.tsx')('says that there are none'),
    ),
    row(
      '{name} is Required',
      'where a picture is saved without a photo',
      testsIn('e2e/journeys/profile.spec.ts')('a picture is chosen, cut, saved'),
    ),
  ],
}
