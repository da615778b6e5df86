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
      calls('throws a refusal with its code, message and fields'),
      open('a refused log-in > shows the error in a red alert and keeps the typed values'),
    ),
    row('404', 'the words of the server', calls("shows the server's message for a 404")),
    row('anything else', 'Server Error', calls('shows Server Error for a fault, whatever its body says')),
    row(
      '401 and 403',
      'log out',
      calls('ends the session on a 401 for a logged-in user'),
      calls('ends the session on a 403 for a logged-in user'),
    ),
    row(
      'trade error',
      'in a red alert above the order form',
      refused('a refusal of the server appears in red above the form, and nothing is debited'),
      fields('a refusal shows the server'),
    ),
    row(
      'favorite',
      'a mark that is not taken goes back without a word',
      market('a star that the server refuses is cleared silently'),
    ),
    row('no connection', 'is told apart from an answer', calls('distinguishes a missing reply from a refusal')),
  ],
}

/** The texts shown where something is missing. */
export const ERROR_TEXTS = {
  title: 'Error texts',
  rows: [
    row('Server Error', 'any other failure of a call', calls('shows Server Error for a fault, whatever its body says')),
    row('market is closed', 'where a market is closed', market('a closed market shows the notice above its symbols')),
    row('insufficient balance', 'on the order form', refused('without money every amount is too much')),
    row(
      'transactions not found',
      'where there are no trades',
      recent("a closed market shows only the user's own trades"),
    ),
    row(
      'loading transactions',
      'while trades are asked for',
      recent("the user's own trades show loading until they arrive"),
    ),
    row(
      'please wait a minute',
      'while an order waits for its price',
      lost('prices without sockets are not marked live, and the result arrives after reconnection'),
    ),
    row('No Data', 'where a list is empty', withdraw('an account without withdrawal methods shows a message')),
    row('Page Not Found', 'at an address without a page', open('an address without a page shows Page Not Found')),
    row(
      'unable to load data, try again later',
      'where the market cannot be loaded',
      market('a list that fails to load shows an error, stops loading'),
    ),
    row(
      'currently no withdrawal methods available for your account',
      'where there are none',
      testsIn('src/web/screens/withdrawal-methods/withdrawal-methods-screen.test.tsx')(
        'shows a message when there are no methods',
      ),
    ),
    row(
      '{name} is Required',
      'where a picture is saved without a photo',
      testsIn('e2e/journeys/profile.spec.ts')('a picture is chosen, cropped, saved, kept after a reload and removed'),
    ),
  ],
}
