import type { Page } from '@playwright/test'
import { accessibilityFaults } from './accessibility-faults.ts'
import { createBusyUser, EVERY_ROUTE, FOR_VISITORS, NOT_FOR_USERS, routesFor } from './every-route.ts'
import { expect, test } from './fixtures.ts'
import { TradePage } from './pages/trade-page.ts'
import { useTheme } from './theme.ts'
import { createUser, goWithin, openAs, openAsVisitor } from './users.ts'

test('the screens of visitors have no accessibility faults', async ({ page, site }) => {
  await openAsVisitor(page, site, '/')
  for (const { name, path } of EVERY_ROUTE.filter((route) => FOR_VISITORS.has(route.name))) {
    await goWithin(page, path)
    await expectAccessible(page, name)
  }
})

// Two tests: a single one would take minutes and delay the end of a run.
for (const half of [0, 1]) {
  test(`the screens of users have no accessibility faults, half ${half + 1}`, async ({ page, site }) => {
    const user = await createBusyUser(site)
    await openAs(page, user, site)
    const ofUsers = routesFor(user).filter((route) => !NOT_FOR_USERS.has(route.name))
    for (const { name, path } of ofUsers.filter((_, at) => at % 2 === half)) {
      await goWithin(page, path)
      await expectAccessible(page, name)
    }
  })
}

test('the verification has no accessibility faults', async ({ page, site }) => {
  await openAs(page, await createUser(site, { verified: false }), site, '/profile/verification')
  await expectAccessible(page, 'verification')
})

test('an order has no accessibility faults, from the form to the result', async ({ page, site }) => {
  await openAs(page, await createUser(site, { funds: 100 }), site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Buy', '1000')
  await expectAccessible(page, 'the form with an error')
  await trade.stake.fill('50')
  await expectAccessible(page, 'the form')
  await trade.submit.click()
  await expect(trade.countdown).toBeVisible()
  await expectAccessible(page, 'a running order')
  await expect(trade.verdict).toBeVisible()
  await expectAccessible(page, 'the result')
})

/** Checks the page in both themes. */
async function expectAccessible(page: Page, what: string): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await useTheme(page, 'light')
  expect(await accessibilityFaults(page), `${what}, light`).toEqual([])
  await useTheme(page, 'dark')
  expect(await accessibilityFaults(page, 'colours'), `${what}, dark`).toEqual([])
}
