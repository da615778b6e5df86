import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, freshName, openAs } from '../users.ts'

test.describe('an invalid code', () => {
  // Browsers report the refusal.
  test.use({ allowedProblems: [/status of 422/] })

  test('opens no account while invitations are required', async ({ page, startServer }) => {
    const server = await startServer()
    await server.admin('settings', 'set', 'invitation_codes', '["SWAN-7"]')
    await server.admin('settings', 'set', 'invitation_required', 'true')
    await page.goto(server.address)
    await page.getByRole('link', { name: 'Create account' }).first().click()
    const code = page.getByLabel('Access code')
    await expect(code).toBeVisible()
    await page.getByLabel('Username').fill(freshName())
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Phone number').fill('15112345678')
    await page.getByLabel('Password', { exact: true }).fill('plain-words')
    await page.getByLabel('Confirm password', { exact: true }).fill('plain-words')
    const create = page.getByRole('button', { name: 'Create account' })
    await create.click()
    await expect(page.getByText('Access code is Required')).toBeVisible()
    await code.fill('SWAN-8')
    await create.click()
    await expect(code).toHaveAttribute('aria-invalid', 'true')
    await code.fill('SWAN-7')
    await create.click()
    await expect(page.getByText('Registered Successfully!')).toBeVisible()
  })
})

test('SC49: a user with trading off reads why, and trades again once it is on', async ({ page, site, operator }) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site, '/trade/BTC')
  const trade = new TradePage(page)
  await trade.fillIn('Buy', '20')
  await expect(trade.submit).toBeEnabled()

  await operator('users', 'trade-status', user.username, 'off', '--reason', 'Please send the missing papers.')
  // The next pong contains the reason. Pongs come every ten seconds.
  const reason = page.getByRole('alert').filter({ hasText: 'Please send the missing papers.' })
  await expect(reason).toBeVisible()
  await expect(trade.submit).toBeDisabled()
  await operator('users', 'trade-status', user.username, 'on')
  await expect(reason).toBeHidden()
  await expect(trade.submit).toBeEnabled()
})

test('SC48: a market closed by hand accepts no orders until it is reopened', async ({ page, startServer }) => {
  const server = await startServer()
  const user = await createUser(server.address, { funds: 100 })
  await openAs(page, user, server.address, '/trade/BTC')
  await expect(page.getByRole('button', { name: /^Buy/ })).toBeVisible()
  await server.admin('markets', 'close', 'crypto', '--reason', 'Maintenance of an hour')
  await expect(page.getByText('market is closed').first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Buy/ })).toHaveCount(0)
  await server.admin('markets', 'open', 'crypto')
  await expect(page.getByRole('button', { name: /^Buy/ })).toBeVisible()
})
