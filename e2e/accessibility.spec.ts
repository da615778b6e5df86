import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { post } from '#testing/app-client.ts'
import { expect, test } from './fixtures.ts'
import { createUser, openAs } from './users.ts'

const VISITOR_PATHS = [
  '/',
  '/login',
  '/signup',
  '/market',
  '/languages',
  '/page/rules',
  '/post',
  '/post/welcome',
  '/nowhere',
]
const USER_PATHS = {
  trading: ['/market', '/trade/BTC', '/wallet', '/deposit', '/history/deposit', '/history/transaction'],
  account: [
    '/account',
    '/account/history',
    '/account/password',
    '/profile',
    '/profile/edit',
    '/profile/options',
    '/profile/picture',
    '/profile/verification',
  ],
  withdrawing: [
    '/history/withdrawal',
    '/account/withdrawal-methods',
    '/account/payment-method/101',
    '/account/withdraw-pin',
  ],
  reading: ['/page/help', '/post', '/test'],
}

test('no screen of visitors has a fault that an accessibility checker can find', async ({ page, site }) => {
  await page.goto(site)
  for (const path of VISITOR_PATHS) await expectAccessible(page, site, path)
})

for (const [group, paths] of Object.entries(USER_PATHS)) {
  test(`nor has a screen of users: ${group}`, async ({ page, site }) => {
    await openAs(page, await createUser(site, { funds: 100 }), site)
    for (const path of paths) await expectAccessible(page, site, path)
  })
}

test('nor has the withdrawal, for somebody who has a PIN', async ({ page, site }) => {
  const user = await createUser(site, { funds: 100 })
  const pin = { withdrawal_code: '042713', withdrawal_code_confirmation: '042713' }
  await post(site, '/user/profile/withdrawal-code', pin, user.session.token)
  await openAs(page, user, site)
  await expectAccessible(page, site, '/withdraw')
  await expect(page).toHaveURL(/\/withdraw$/)
})

/** In both themes. */
async function expectAccessible(page: Page, address: string, path: string): Promise<void> {
  await page.goto(`${address}${path}`)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      localStorage.setItem('theme', name)
      // As another tab would tell this one.
      dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
    }, theme)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    // Colours that are still fading into the next theme would be measured halfway.
    await page.evaluate(() =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSTransition)
          .map((transition) => transition.finished),
      ),
    )
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
    expect(found, `${path}, ${theme}`).toEqual([])
  }
}
