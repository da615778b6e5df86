import { choose } from '../choose.ts'
import { expect, test } from '../fixtures.ts'
import { openAsVisitor } from '../users.ts'

test.use({ reducedMotion: 'no-preference' })

/** Screens of visitors. */

test('RT1, SC3, SC4: home shows the headline, the two steps, the lifestyle cards, the picture and the banners', async ({
  page,
  site,
}) => {
  await page.goto(site)
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
  // Other cards appear once the operator sets their links.
  await expect(main.getByText('Posts', { exact: true })).toBeVisible()
  await expect(main.getByRole('heading', { name: 'Trade anywhere' })).toBeVisible()
  await expect(main.getByRole('region', { name: 'Highlights' }).getByRole('listitem')).toHaveCount(3)
  await main.getByRole('button', { name: 'Pause slides' }).click()
  await expect(main.getByRole('button', { name: 'Play slides' })).toBeVisible()
})

test('SC37: home promises the rewards of the beginner tasks', async ({ page, site }) => {
  await page.goto(site)
  await expect(page.getByRole('link', { name: /6,666/ })).toHaveAttribute('href', '/signup')
})

test('SC2: home links from Create Account to the sign-up and from Start Trading to the market', async ({
  page,
  site,
}) => {
  for (const [step, path] of [
    ['Create Account', '/signup'],
    ['Start Trading', '/market'],
  ] as const) {
    await page.goto(site)
    await page.getByRole('listitem').getByRole('link', { name: step }).click()
    await expect(page).toHaveURL(site + path)
  }
})

test('SC5: home answers four questions, one at a time, and links to support', async ({ page, site }) => {
  await page.goto(site)
  const questions = page.getByRole('main').locator('button[aria-expanded]')
  await expect(questions).toHaveCount(4)
  await questions.nth(1).click()
  await expect(questions.nth(1)).toHaveAttribute('aria-expanded', 'true')
  await questions.nth(2).click()
  await expect(questions.nth(1)).toHaveAttribute('aria-expanded', 'false')
  await expect(questions.nth(2)).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('Help & Support')).toBeVisible()
})

test('SC1: the header has the logo, log-in, the theme and the language', async ({ page, site }) => {
  await page.goto(site)
  await page.getByRole('button', { name: 'Use the dark theme' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html'), 'the choice is kept').toHaveAttribute('data-theme', 'dark')
  await page.getByRole('link', { name: 'Language' }).first().click()
  await expect(page).toHaveURL(`${site}/languages`)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page).toHaveURL(`${site}/`)
  await page.getByRole('link', { name: 'Log in' }).first().click()
  await expect(page).toHaveURL(`${site}/login`)
})

test('RT2, SC7, SC8: the market shows featured symbols, three lists and the columns name, price and change', async ({
  page,
  site,
}) => {
  await page.goto(site)
  await page.getByRole('link', { name: 'Market', exact: true }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('list', { name: 'Featured' }).getByRole('listitem')).not.toHaveCount(0)
  await expect(main.getByRole('tab')).toHaveText([/^All/, /^Top/, /^Favorites/])
  await expect(main.getByText('Name', { exact: true })).toBeVisible()
  for (const name of ['Price', 'Change'])
    await expect(main.getByRole('button', { name: new RegExp(name) })).toBeVisible()
  await expect(main.getByRole('radio', { name: 'Crypto' })).toBeChecked()
  for (const [kind, symbol] of [
    ['US stocks', 'AAPL'],
    ['Forex', 'EUR/USD'],
  ] as const) {
    await choose(main.getByRole('radio', { name: kind }))
    await expect(main.getByRole('tabpanel').getByText(symbol).first()).toBeVisible()
  }
})

test('RT28, SC52: the languages are listed by their native names, and choosing a language restarts the app in that language', async ({
  page,
  site,
}) => {
  await openAsVisitor(page, site, '/languages')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page).toHaveURL(`${site}/`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  expect(await page.evaluate(() => localStorage.getItem('lang'))).toBe('de')
})

test('RT5, SC17, VA1, TX1: the log-in has name and password, reveals the password on request, and links to the sign-up', async ({
  page,
  site,
}) => {
  await openAsVisitor(page, site, '/login')
  const password = page.getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('Username is Required')).toBeVisible()
  await expect(page.getByText('Password is Required')).toBeVisible()
  await password.fill('secret')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(`${site}/signup`)
})

test.describe('a refused log-in', () => {
  test.use({ allowedProblems: [/422/] })

  test('FA1: a refused log-in shows the error in a red alert and keeps the typed values', async ({ page, site }) => {
    await openAsVisitor(page, site, '/login')
    await page.getByLabel('Username').fill('nobody')
    await page.getByLabel('Password', { exact: true }).fill('wrong-one')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toHaveText('Username or password is wrong')
    await expect(page.getByLabel('Username')).toHaveValue('nobody')
  })
})

test('RT6, SC18: the sign-up has all its fields and blocks spaces in the username', async ({ page, site }) => {
  await openAsVisitor(page, site, '/signup')
  await page.getByLabel('Username').pressSequentially('a b c')
  await expect(page.getByLabel('Username')).toHaveValue('abc')
  for (const name of ['Phone number', 'Email (optional)', 'Country']) await expect(page.getByLabel(name)).toBeVisible()
  await expect(page.getByLabel('Confirm password', { exact: true })).toBeVisible()
  await expect(page.getByText('6 - 20 characters')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'I agree to the terms' })).toBeChecked()
  await expect(page.getByLabel('Access code'), 'only where the setting asks for it').toHaveCount(0)
})

test('RT29, ET8: an address without a page shows Page Not Found', async ({ page, site }) => {
  await page.goto(`${site}/nowhere`)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go home' })).toBeVisible()
})
