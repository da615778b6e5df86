import { SCREEN_PATHS } from '#core/navigation/screens.ts'
import { AppClient, post } from '#test/support/app-client.ts'
import { createUser, type TestUser, withNewestUser } from './users.ts'

/** The ticket number in the example path. No ticket has this number. */
const TICKET_NUMBER = 'T-00000-00000-00000'

/** Example paths for the screens whose path has parameters. */
const PLACES: Readonly<Record<string, string>> = {
  '/trade/:symbol?': '/trade/BTC',
  '/account/payment-method/:id': '/account/payment-method/101',
  '/page/:slug': '/page/help',
  '/post/:slug?': '/post',
  '/check/:trx?': '/check',
  '/tickets/:no': `/tickets/${TICKET_NUMBER}`,
  '/n/:id': '/n/00000000-0000-7000-8000-000000000000',
  '/reset-password': '/reset-password?code=123456',
}

/** Every screen by name, with a path that shows it. */
export const EVERY_ROUTE: readonly { readonly name: string; readonly path: string }[] = [
  ...(Object.keys(SCREEN_PATHS) as (keyof typeof SCREEN_PATHS)[]).map((name) => ({
    name,
    path: PLACES[SCREEN_PATHS[name]] ?? SCREEN_PATHS[name],
  })),
  { name: 'one_post', path: '/post/welcome' },
  { name: 'not_found', path: '/nowhere' },
]

/** Returns `EVERY_ROUTE` with the ticket number of a busy user in the path of the ticket screen. */
export function routesFor(user: (TestUser & { readonly ticket?: string }) | null): typeof EVERY_ROUTE {
  const number = user?.ticket ?? TICKET_NUMBER
  return EVERY_ROUTE.map(({ name, path }) => ({ name, path: path.replace(TICKET_NUMBER, number) }))
}

/** Screens that visitors see without a redirect. */
export const FOR_VISITORS: ReadonlySet<string> = new Set([
  'home',
  'market',
  'login',
  'signup',
  'forgot_password',
  'reset_password',
  'languages',
  'liabilities',
  'fairness',
  'no_control',
  'incidents',
  'register',
  'changes',
  'terms_of_use',
  'prices',
  'outbox',
  'unsubscribe',
  'recover',
  'stop_recovery',
  'check',
  'informationPage',
  'post',
  'one_post',
  'not_found',
])
/** Screens from which logged-in users are redirected. */
export const NOT_FOR_USERS: ReadonlySet<string> = new Set(['home', 'login', 'signup'])

/**
 * Creates a user with content on every screen: money, open orders, saved details, a PIN, a pending withdrawal and a
 * ticket.
 */
export async function createBusyUser(address: string): Promise<TestUser & { readonly ticket: string }> {
  const user = await createUser(address, { funds: 12_345.67 })
  const { token } = user.session
  const pin = { withdrawal_code: '123456', withdrawal_code_confirmation: '123456' }
  await post(address, '/user/security/confirm', { password: user.password }, token)
  await post(address, '/user/profile/withdrawal-code', pin, token)
  const details = {
    'Account holder': 'Ada Byron',
    Bank: 'First Bank',
    'Account number or IBAN': 'DE89370400440532013000',
  }
  await post(
    address,
    '/user/withdrawals/user-withdrawals',
    { withdraw_method_id: 101, withdrawal_information: details },
    token,
  )
  const request = { method_id: 101, amount: 250, fields: {}, withdrawal_code: '123456' }
  await post(address, '/user/withdrawals/save', request, token)
  const socket = await AppClient.open(address, token)
  const order = { type: 'buy', amount: 100, symbol: 'btc', marketType: 'crypto' }
  await socket.order({ clientOrderId: 'day', tradeSettingId: 5, ...order })
  await socket.order({ clientOrderId: 'minute', tradeSettingId: 1, ...order })
  socket.close()
  const complaint = { about_kind: 'account', topic: 'else', words: 'My balance looks wrong to me.', request_id: 'busy' }
  const { ticket } = (await post(address, '/user/tickets', complaint, token)) as { ticket: { no: string } }
  return { ...user, session: await withNewestUser(address, token), ticket: ticket.no }
}
