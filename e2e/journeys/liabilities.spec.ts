import { readFileSync } from 'node:fs'
import { get, post } from '#test/support/app-client.ts'
import type { OwnProof } from '#core/proof/own-proof.ts'
import { takeSnapshot } from '#server/proof/liabilities/take-snapshot.ts'
import { createLog } from '#server/platform/runtime/log.ts'
import { createVault } from '#server/platform/encryption/vault.ts'
import { createContext, createTools } from '#server/platform/context/create-context.ts'
import { expect, test } from '../fixtures.ts'
import { changeDatabase, type ServerData } from '../server-data.ts'
import { createUser, openAs, openAsVisitor, type TestUser } from '../users.ts'

/** Logs in the demo user, who has money from the first start and is therefore in the first proof. */

async function demoUser(site: string): Promise<TestUser> {
  const session = (await post(site, '/user/auth/login', {
    username: 'demo',
    password: 'demo1234',
  })) as TestUser['session']
  return { username: 'demo', password: 'demo1234', email: '', session }
}

/** Waits for the first published total. A server that runs past midnight publishes a second total. */
async function untilPublished(site: string): Promise<void> {
  await expect
    .poll(async () => ((await get(site, '/proof/liabilities')) as { days: unknown[] }).days.length)
    .toBeGreaterThanOrEqual(1)
}

test("LI6: the wallet checks the user's proof, offers a download, and leads to the public total", async ({
  page,
  site,
}) => {
  await untilPublished(site)
  await openAs(page, await demoUser(site), site, '/wallet')
  await expect(page.getByText('Your balance is in the published total')).toBeVisible()
  const card = page.locator('section').filter({ hasText: 'Proof of what we owe you' })
  await expect(card.getByText('$10,000.00')).toHaveCount(2)
  await expect(card.getByText('what is owed, not what is held')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download proof' }).click(),
  ])
  const proof = JSON.parse(readFileSync(await download.path(), 'utf8')) as OwnProof
  await card.getByRole('link', { name: 'What this proves' }).click()
  await expect(page).toHaveURL(`${site}/liabilities`)
  await expect(page.getByText(proof.record.root)).toBeVisible()
  await expect(page.getByText('Your browser has just checked this')).toBeVisible()
})

test('LI7: a visitor finds the totals from home, and a newcomer sees when they will be included', async ({
  page,
  site,
}) => {
  await untilPublished(site)
  await openAsVisitor(page, site, '/')
  await page.getByRole('button', { name: 'How do I know the funds are there?' }).click()
  await page.getByRole('link', { name: 'proofs of what is owed' }).click()
  await expect(page.getByRole('heading', { name: 'What it does not prove' })).toBeVisible()
  await openAs(page, await createUser(site, { funds: 50 }), site, '/wallet')
  await expect(page.getByText('Your account is not in a proof yet')).toBeVisible()
})

/** Publishes the liabilities as the server does, then reduces them in the database. */
async function changeTheBooks(data: ServerData): Promise<void> {
  await changeDatabase(data, async (db) => {
    const vault = createVault([new Uint8Array(32)], createTools().randomBytes)
    await takeSnapshot(createContext({ db, log: createLog('error'), vault }))
    await db
      .updateTable('liability_account')
      .set(({ eb }) => ({ cash: eb('cash', '-', 100n) }))
      .where('cash', '>', 100n)
      .execute()
  })
}

test('LI6: a leaf that was changed in the database raises an alert', async ({ page, startServer }) => {
  const server = await startServer({}, { prepare: changeTheBooks })
  await openAs(page, await demoUser(server.address), server.address, '/wallet')
  const alert = page.getByRole('alert').filter({ hasText: 'This does not match!' })
  await expect(alert).toBeVisible()
  await expect(page.getByText('Your balance is in the published total')).toHaveCount(0)
  await expect(page.getByText('Failed: The four parts are yours')).toBeVisible()
})
