import { AxeBuilder } from '@axe-core/playwright'
import { expect, signInAsDemo, test } from './fixtures.ts'

const VISITOR_PATHS = ['/', '/login', '/signup', '/market', '/languages', '/nowhere']
const USER_PATHS = ['/market', '/trade/BTC', '/wallet', '/deposit', '/history/deposit', '/history/transaction']

test('no screen has a fault that an accessibility checker can find, in both themes', async ({ page, startServer }) => {
  const { address } = await startServer()
  await page.goto(address)
  for (const path of VISITOR_PATHS) await expectAccessible(path)
  await signInAsDemo(page, address)
  for (const path of USER_PATHS) await expectAccessible(path)

  async function expectAccessible(path: string): Promise<void> {
    for (const scheme of ['light', 'dark']) {
      await page.evaluate((theme) => localStorage.setItem('theme', theme), scheme)
      await page.goto(`${address}${path}`)
      await expect(page.getByRole('main')).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`)
      expect(found, `${path}, ${scheme}`).toEqual([])
    }
  }
})
