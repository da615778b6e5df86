import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { DEMO_STAFF } from '#server/seed/demo-staff.ts'
import { DEMO_USER } from '#server/seed/demo-user.ts'
import { AppClient, get, post } from '#test/support/app-client.ts'
import { demoKeyOf } from '#test/support/server-process.ts'
import type { Known } from './targets.ts'

/** The seeded withdrawal method and its field. */
const TRC20 = 102
const WALLET = 'Wallet address (TRC-20)'

/** The sessions of the scanners. */
export interface Sessions {
  readonly user: Readonly<Record<string, string>>
  readonly staff: Readonly<Record<string, string>>
  /** Ids of existing records of these accounts, so that requests find a record. */
  readonly known: Known
}

/**
 * Logs in a verified user with money and the owner of the back office, and creates one record of each kind that has an
 * id.
 */
export async function openSessions(address: string): Promise<Sessions> {
  const { username, password, pin } = DEMO_USER
  const session = (await post(address, '/user/auth/login', { username, password })) as { token: string }
  const { token } = session
  const cookie = await signInOwner(address)
  const order = await placeOrder(address, token)
  const { deposits } = (await get(address, '/user/deposits', token)) as { deposits: { trx: string }[] }
  const withdrawal = await askWithdrawal(address, token, pin)
  const victim = await register(address)
  const deposit = deposits[0]?.trx ?? ''
  const users = (await staffGet(address, cookie, `/admin/users?search=${victim}`)) as { rows: { id: string }[] }
  return {
    user: { authorization: `Bearer ${token}` },
    staff: { cookie },
    known: {
      trx: order,
      '/user/trade/{id} id': order,
      '/user/withdrawals/{trx}/cancel trx': withdrawal,
      symbol: 'BTCUSDT',
      product: 'BTCUSDT',
      currency: 'BTC',
      language: 'en',
      search: 'demo',
      '/user/pages/{slug} slug': 'rules',
      '/user/posts/{slug} slug': 'how-to-read-a-result',
      '/user/trade/result game_log_id': order,
      ...within('/admin/markets/symbols/:code', 'code', 'BTC'),
      ...within('/admin/content/:kind', 'key', 'rules'),
      ...within('/admin/texts/:language', 'key', 'account.verified'),
      ...within('/admin/users/:id', 'id', users.rows[0]?.id ?? ''),
      ...within('/admin/deposits/:trx', 'trx', deposit),
      ...within('/admin/withdrawals/:trx', 'trx', withdrawal),
      username,
      name: 'owner',
    },
  }
}

/** Sets a parameter in all back-office paths with this prefix. */
function within(start: string, name: string, value: string): Known {
  const paths = Object.values(staffCalls).map(({ path }) => path)
  const inside = paths.filter((path) => path === start || path.startsWith(`${start}/`))
  return Object.fromEntries(inside.map((path) => [`${path.replace(/:(\w+)/g, '{$1}')} ${name}`, value]))
}

async function signInOwner(address: string): Promise<string> {
  const { owner: name, password } = DEMO_STAFF
  const first = await fetch(`${address}/api/admin/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `fairwick_demo_key=${demoKeyOf(address)}` },
    body: JSON.stringify({ name, password }),
  })
  const { data } = (await first.json()) as { data: { ticket: string; demo_code: string } }
  const second = await fetch(`${address}/api/admin/sign-in/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket: data.ticket, code: data.demo_code }),
  })
  const cookie = second.headers.get('set-cookie')?.split(';')[0]
  if (!second.ok || cookie === undefined) throw new Error(`signing in as staff: ${second.status}`)
  return cookie
}

async function staffGet(address: string, cookie: string, path: string): Promise<unknown> {
  const answer = await fetch(`${address}/api${path}`, { headers: { cookie } })
  const { data } = (await answer.json()) as { data?: unknown }
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return data
}

async function placeOrder(address: string, token: string): Promise<string> {
  const client = await AppClient.open(address, token)
  try {
    const order = { type: 'buy', tradeSettingId: 1, amount: 10, symbol: 'BTCUSDT', clientOrderId: 'scanned' }
    const { data } = await client.order(order)
    if (typeof data?.['trx'] !== 'string') throw new Error('the order for the scan was refused')
    return data['trx']
  } finally {
    client.close()
  }
}

async function askWithdrawal(address: string, token: string, pin: string): Promise<string> {
  const fields = { [WALLET]: 'TNg4gK7rDevUbf8eqTjLgUNiY9yYvNSHJB' }
  const reply = await post(
    address,
    '/user/withdrawals/save',
    { method_id: TRC20, amount: 100, fields, withdrawal_code: pin },
    token,
  )
  return (reply as { withdrawal: { trx: string } }).withdrawal.trx
}

async function register(address: string): Promise<string> {
  const username = 'scanned'
  const password = 'plain-words'
  await post(address, '/user/auth/register', {
    username,
    password,
    password_confirmation: password,
    mobile: '15112345678',
    country_code: 'DE',
    email: 'scanned@example.com',
    agree: true,
  })
  return username
}
