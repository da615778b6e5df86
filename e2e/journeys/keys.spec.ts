import { expect, test } from '../fixtures.ts'
import { createUser, openAs } from '../users.ts'

// The server answers the first request for a key by asking the user to confirm their identity.
test.use({ allowedProblems: [/status of 422/] })

test('a user creates an API key, which works until the user revokes it', async ({ page, site }) => {
  const user = await createUser(site, { funds: 100 })
  await openAs(page, user, site, '/account/security')
  await page.getByRole('link', { name: 'Keys for programs' }).click()
  const main = page.getByRole('main')
  await expect(main).toContainText('No keys. Programs can read prices without one.')
  await expect(main).toContainText('This is a demo. Orders of a key use virtual funds.')

  await main.getByRole('button', { name: 'Make a key' }).click()
  const sheet = page.getByRole('dialog', { name: 'Make a key' })
  await sheet.getByLabel('Name').fill('my bot')
  await sheet.getByRole('radio', { name: /Read and trade/ }).check()
  await sheet.getByLabel('Maximum stake', { exact: true }).fill('25')
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await expect(sheet.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await sheet.getByRole('checkbox', { name: /Anyone who has this key/ }).check()
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await sheet.getByRole('button', { name: 'Make a key' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Current password', { exact: true }).fill(user.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()

  await expect(main.getByRole('heading', { name: 'Your new key' })).toBeFocused()
  const key = (await main.getByText(/^fwk_/).textContent()) ?? ''
  const itself = () => fetch(`${site}/api/user/key`, { headers: { authorization: `Bearer ${key}` } })
  expect(await (await itself()).json()).toMatchObject({
    data: { name: 'my bot', scope: 'trade', balance: 100, limits: { max_stake: 25 } },
  })
  await main.getByRole('button', { name: 'I have stored it' }).click()
  await expect(main.getByText(key)).toBeHidden()
  await page.reload()
  const row = main.getByRole('listitem').filter({ hasText: 'my bot' })
  await expect(row).toContainText('Read and trade')
  await expect(row).toContainText('Last used')

  await row.getByRole('button', { name: 'End key: my bot' }).click()
  const question = page.getByRole('dialog', { name: 'End key' })
  await expect(question).toContainText('Its program stops immediately.')
  await question.getByRole('button', { name: 'End key' }).click()
  await expect(main).toContainText('No keys.')
  expect((await itself()).status).toBe(401)
})
