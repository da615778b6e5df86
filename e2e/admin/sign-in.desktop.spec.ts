import { codeAt } from '#server/platform/credentials/totp.ts'
import { instant } from '#core/time/instant.ts'
import { expect, test } from '../fixtures.ts'
import { changeDatabase, type ServerData } from '../server-data.ts'
import { freshName } from '../users.ts'

/** The command creates an owner only when no other owner can log in. */
const blockOwners = (data: ServerData) =>
  changeDatabase(data, (db) => db.updateTable('staff').set({ is_blocked: true }).where('role', '=', 'owner').execute())

test('an owner invited by command joins, sets up a second step, and is logged in', async ({ page, startServer }) => {
  const server = await startServer({}, { prepare: blockOwners })
  const name = freshName()
  const printed = await server.admin('create-owner', name)
  const joinPath = printed.split('\n').at(-1) ?? ''
  await page.goto(server.address + joinPath)
  await page.getByLabel('Password', { exact: true }).fill('a few plain words')
  await page.getByLabel('Repeat password').fill('a few plain words')
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await page.getByLabel('Six digits').fill(codeAt(secret, instant(Date.now())))
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('link', { name: 'Go to log-in' }).click()

  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('a few plain words')
  await page.getByRole('button', { name: 'Next' }).click()
  // Each code works once, and the current one was used to join. The server accepts the next code early.
  await page.getByLabel('Six digits').fill(codeAt(secret, instant(Date.now() + 30_000)))
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
})
