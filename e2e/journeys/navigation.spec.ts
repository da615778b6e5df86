import { expect, test } from '../fixtures.ts'
import { logIn } from '../pages/newcomer.ts'
import { createUser, goWithin, openAs, openAsVisitor } from '../users.ts'

test('NV1: the first page of a session is home, which offers the requested page', async ({ page, site }) => {
  await page.goto(`${site}/market`)
  await expect(page).toHaveURL(`${site}/`)
  await page.getByRole('link', { name: 'Continue to Market' }).click()
  await expect(page).toHaveURL(`${site}/market`)

  // Home offers the requested page only once. From here on every address opens directly, also in other tabs.
  await page.goto(`${site}/languages`)
  await expect(page).toHaveURL(`${site}/languages`)
  const tab = await page.context().newPage()
  await tab.goto(`${site}/languages`)
  await expect(tab.getByRole('heading', { name: 'Languages' }), 'F26: another tab').toBeVisible()
  await expect(tab.getByRole('link', { name: /^Continue to/ })).toHaveCount(0)
  await tab.close()
})

test('the offer to continue can be dismissed', async ({ page, site }) => {
  await page.goto(`${site}/market`)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('link', { name: /^Continue to/ })).toHaveCount(0)
})

test('a logged-in user is redirected from the first page to the market', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site)
  await expect(page.getByRole('heading', { name: 'Market', level: 1 })).toBeAttached()
  await page.evaluate(() => sessionStorage.clear())
  // The page leaves the app first, because a running app could set the cookie again.
  await page.goto(`${site}/api/v3/ping`)
  await page.context().clearCookies({ name: 'visited' })
  await page.goto(`${site}/wallet`)
  await expect(page).toHaveURL(`${site}/market`)
  await page.getByRole('link', { name: 'Continue to Wallet' }).click()
  await expect(page).toHaveURL(`${site}/wallet`)
})

test('NV5: a visitor who opens a page for users logs in and is redirected to it', async ({ page, site }) => {
  const user = await createUser(site)
  await openAsVisitor(page, site, '/history/transaction')
  await expect(page).toHaveURL(`${site}/login`)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(`${site}/history/transaction`)

  // The return path is used only once: after a log-out and another log-in, it is gone.
  await page.goto(`${site}/market`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(`${site}/`)
  await page.goto(`${site}/login`)
  await logIn(page, user)
})

test('NV3, NV4, NV7: home, log-in and sign-up redirect a logged-in user to the market', async ({ page, site }) => {
  await openAs(page, await createUser(site), site)
  for (const path of ['/', '/login', '/signup']) {
    await page.goto(site + path)
    await expect(page).toHaveURL(`${site}/market`)
  }
  const bar = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(bar).toHaveText(['Market', 'Trade', 'Wallet'])
})

test('NV7: a visitor has all four main pages in the navigation bar', async ({ page, site }) => {
  await page.goto(site)
  const bar = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(bar).toHaveText(['Home', 'Market', 'Trade', 'Wallet'])
})

test('NV6: an unverified user is redirected to the verification, and afterwards to the requested page', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { verified: false })
  await openAs(page, user, site, '/')
  for (const path of ['/', '/market', '/login', '/post', '/wallet']) {
    await page.goto(site + path)
    await expect(page).toHaveURL(`${site}/profile/verification`)
  }
})

test('an unknown address shows an error and links to home', async ({ page, site }) => {
  await page.goto(`${site}/nowhere/at/all`)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL(`${site}/`)
})

test.describe('a session that ended elsewhere', () => {
  test.use({ allowedProblems: [/401/] })

  test('NV10: the next reply from the server logs the page out', async ({ page, site }) => {
    const user = await createUser(site)
    await openAs(page, user, site, '/wallet')
    await expect(page.getByText('$0.00').first()).toBeVisible()
    await fetch(`${site}/api/user/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.session.token}` },
    })
    // No reload, because the page may already know that the session has ended, and show this.
    await goWithin(page, '/history/deposit')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText(/^You were logged out/), 'F42').toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue(user.username)
  })
})
