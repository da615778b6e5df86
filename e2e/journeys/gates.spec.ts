import { expect, test } from '../fixtures.ts'
import { TradePage } from '../pages/trade-page.ts'
import { createUser, openAs } from '../users.ts'

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
