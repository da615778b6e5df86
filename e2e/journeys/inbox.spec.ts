import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

test('a decision about money reaches an open page, and is read in the inbox', async ({ page, site }) => {
  const user = await createUser(site)
  await openAs(page, user, site, '/wallet')
  const bell = page.getByRole('link', { name: /^Inbox/ }).filter({ visible: true })
  await expect(bell).toHaveAccessibleName('Inbox')
  const body = new FormData()
  body.set('method_id', '1')
  body.set('amount', '100')
  const headers = { authorization: `Bearer ${user.session.token}` }
  expect((await fetch(`${site}/api/user/deposits/save`, { method: 'POST', headers, body })).ok).toBe(true)
  await expect(bell).toHaveAccessibleName('Inbox, 1 unread')
  await bell.press('Enter')
  const notice = page.getByRole('main').getByRole('link', { name: /Deposit credited/ })
  await expect(notice).toContainText('$100.00')
  await notice.press('Enter')
  await expect(page).toHaveURL(/\/history\/deposit$/)
  await expect(bell).toHaveAccessibleName('Inbox')
})
