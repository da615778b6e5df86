import { row, testsIn } from '#test/specification/row.ts'

const journey = testsIn('e2e/journeys/navigation.spec.ts')
const rules = testsIn('src/core/navigation/where-to.test.ts')

export const NAVIGATION = {
  title: 'Navigation rules',
  rows: [
    row(
      'first navigation',
      'the first page of a session is home, once',
      journey('the first page of a session is home, which offers the requested page'),
      rules('where to > the first navigation goes home'),
      rules('where to > the first navigation of a user goes home too'),
      testsIn('src/web/session/visit.test.tsx')(
        'F26: a session spans the browser, so another tab does not start a new one',
      ),
    ),
    row(
      'public pages',
      'need no log-in, are never diverted, and stay open to unverified users',
      rules('where to > F58: /fairness opens first of all'),
      rules('where to > F58: /check opens for an unverified user'),
      rules('where to > F58: an unverified user chooses a language'),
    ),
    row(
      'signed in at log-in and sign-up',
      'both send a signed-in user to the market',
      journey('home, log-in and sign-up redirect a logged-in user to the market'),
      rules('where to > a user needs no login'),
      rules('where to > a user needs no sign-up'),
    ),
    row(
      'signed in at home',
      'home sends a signed-in user to the market',
      journey('home, log-in and sign-up redirect a logged-in user to the market'),
      rules('where to > a user goes from home to the market'),
    ),
    row(
      'return address',
      'a page for users sends a visitor to the log-in, which leads back',
      journey('a visitor who opens a page for users logs in and is redirected to it'),
      rules('where to > a visitor logs in before the wallet'),
    ),
    row(
      'unverified',
      'who is not verified is sent to the verification from everywhere',
      journey('an unverified user is redirected to the verification, and afterwards to the requested page'),
      rules('where to > an unverified user verifies first'),
    ),
    row(
      'bottom bar',
      'Home, Market, Trade, Wallet; without Home for users',
      journey('a visitor has all four main pages in the navigation bar'),
      journey('home, log-in and sign-up redirect a logged-in user to the market'),
    ),
    row(
      'reset link',
      'needs its code, and with one is never diverted',
      testsIn('e2e/journeys/reset-password.spec.ts')(
        'the page for a new password needs a code, and a link with one is not redirected',
      ),
      rules('where to > a link with a code is not redirected'),
      rules('where to > the new-password screen without a code goes home'),
    ),
    row(
      'deposits closed',
      'deposit and its history lead to the wallet',
      rules('where to > the deposit screen goes to the wallet while deposits are closed'),
      rules('where to > the deposit history goes to the wallet while deposits are closed'),
      rules('where to > F62: the history stays open for a user with deposits'),
    ),
    row(
      'any 401 or 403',
      'logs out whoever is signed in',
      journey('a session that ended elsewhere > the next reply from the server logs the page out'),
      testsIn('src/web/api/call.test.tsx')('ends the session on a 403 for a logged-in user'),
      testsIn('src/web/api/call.test.tsx')('F42: passes the reason and username to the log-in'),
    ),
    row(
      'log-out',
      'clears the settings that are stored, which are asked for anew',
      testsIn('src/web/site/settings.test.tsx')('F51: a log-out clears the stored settings'),
    ),
    row(
      'storage blocked',
      'memory stands in for it while the page is open',
      testsIn('src/ui/state/browser-storage.test.ts')(
        'localStorage > F80: keeps items while the page is open when the getter throws',
      ),
      testsIn('e2e/journeys/plain-http.spec.ts')(
        'F80: over plain HTTP and without storage, users can deposit and trade',
      ),
    ),
  ],
}
