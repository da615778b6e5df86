import type { Page } from '@playwright/test'
import { get, post } from '#test/support/app-client.ts'
import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { type LiveSite, startLiveSite } from '../live-site.ts'
import { TradePage } from '../pages/trade-page.ts'
import { takePicture } from '../take-picture.ts'
import { freshName, openAs, type TestUser, withNewestUser } from '../users.ts'

const url = process.env['TEST_DATABASE_URL']

// The site has the certificate of a test, so the browser installs no worker.
test.use({ ignoreHTTPSErrors: true, allowedProblems: [/certificate|service ?worker/i] })

let site: LiveSite
test.beforeAll(async () => {
  test.skip(url === undefined, 'it needs a PostgreSQL')
  site = await startLiveSite(url ?? '')
})
test.afterAll(() => site?.stop())

test('a user opens practice, trades, switches, and finds each order in its own account', async ({ page }) => {
  const user = await fundedUser()
  await expect.poll(() => site.player.isSubscribed).toBe(true)
  site.player.play()
  await openAs(page, user, site.address, '/trade/BTC')
  const live = page.getByRole('radio', { name: /^Live/ })
  const practice = page.getByRole('radio', { name: /^Practice/ })
  await expect(live).toBeChecked()
  await expect(page).toHaveTitle(/^BTC\/USDT/)

  // The first choice opens the practice account, and closes the order form.
  await page.getByRole('button', { name: /^Buy/ }).click()
  await expect(page.getByLabel('Stake')).toBeVisible()
  await choose(practice)
  await expect(page.getByText('Practice is on. Nothing in it is money. The order form was closed.')).toBeVisible()
  await expect(page.getByLabel('Stake')).toBeHidden()
  await expect(practice).toHaveAccessibleName(/^Practice P.10,000\.00$/)
  await expect(page).toHaveTitle(/^Practice · BTC\/USDT/)
  await expect(page.getByText('Practice · not money').first()).toBeVisible()
  await order(page, /^Buy · practice/, '30')
  await expect(practice).toHaveAccessibleName(/^Practice P.9,970\.00$/)
  await takePicture(page, 'practice-running')

  await choose(live)
  await expect(page.getByText('Practice · not money')).toHaveCount(0)
  await expect(live).toHaveAccessibleName('Live $500.00')
  await order(page, /^Sell/, '20')
  await expect(live).toHaveAccessibleName('Live $480.00')

  expect(await stakes(user, 'live')).toEqual([20])
  expect(await stakes(user, 'practice')).toEqual([30])
  await page.goto(`${site.address}/history/transaction`)
  await expect(page.getByText('$20.00')).toBeVisible()
  await expect(page.getByText('30.00')).toHaveCount(0)

  // A reload keeps the account of the tab, and a new tab starts with the live one.
  await page.goto(`${site.address}/trade/BTC`)
  await choose(practice)
  await page.reload()
  await expect(practice).toBeChecked()
  await page.goto(`${site.address}/history/transaction`)
  await expect(page.getByText(/Practice 30\.00$/)).toBeVisible()
  await expect(page.getByText('20.00')).toHaveCount(0)
  await page.goto(`${site.address}/wallet`)
  await expect(page.getByText('This page is about your live account only. Practice is on.')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(`${site.address}/trade/BTC`)
  await expect(other.getByRole('radio', { name: /^Live/ })).toBeChecked()
})

/** Fills in and sends an order of a minute. A price that is too old is refused, so the order is sent again. */
async function order(page: Page, action: RegExp, stake: string): Promise<void> {
  await page.getByRole('button', { name: action }).click()
  await choose(page.getByRole('radio', { name: /^1 min/ }))
  await page.getByLabel('Stake').fill(stake)
  const submit = page.getByRole('button', { name: /^(Buy|Sell) · .*1 min/ })
  const trade = new TradePage(page)
  await expect(async () => {
    if (!(await trade.countdown.isVisible())) await submit.click({ timeout: 2_000 })
    await expect(trade.countdown).toBeVisible({ timeout: 4_000 })
  }).toPass()
}

/** A verified user with 500.00 of money. */
async function fundedUser(): Promise<TestUser> {
  const username = freshName()
  const [password, email] = ['plain-words-9', `${username}@example.com`]
  const details = { username, password, password_confirmation: password, mobile: '912345678', country_code: 'PT' }
  const body = { ...details, email, agree: true, age: true }
  const { token } = (await send('/user/auth/register', body)) as TestUser['session']
  await expect.poll(() => site.mail.codeFor(email)).not.toBeNull()
  await send('/user/email-verify/verify', { code: site.mail.codeFor(email) }, token)
  const session = (await send('/user/auth/login', { username, password })) as TestUser['session']
  const { user } = (await get(site.origin, '/user/profile', session.token)) as { user: { id: string } }
  await site.deposit(user.id, 50_000n)
  return { username, password, email, session: await withNewestUser(site.origin, session.token) }
}

const send = (path: string, body: object, token?: string) => post(site.origin, path, body, token)

/** Returns the stakes of the user's orders in an account. */
async function stakes(user: TestUser, account: string): Promise<number[]> {
  const path = `/user/trade-log/recent?account=${account}`
  const { trades } = (await get(site.origin, path, user.session.token)) as { trades: { amount: number }[] }
  return trades.map(({ amount }) => amount)
}
