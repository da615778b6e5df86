import { expect, test } from '../fixtures.ts'
import { takePicture } from '../take-picture.ts'
import { createUser, openAs } from '../users.ts'

test('dragging the price axis sets the scale by hand, and Auto fits the scale to the prices again', async ({
  page,
  site,
}) => {
  await openAs(page, await createUser(site), site, '/trade/BTC')
  await expect(page.locator('[data-part=legend]')).toHaveText(/O [\d,.]+/)
  const chart = page.getByRole('img', { name: /^BTC\/USDT/ })
  const box = await chart.boundingBox()
  if (box === null) throw new Error('the chart has no place')
  const auto = page.getByRole('button', { name: /Auto$/ })
  await expect(auto).toHaveCount(0)

  const [x, y] = [box.x + box.width - 20, box.y + box.height * 0.3]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 90, { steps: 6 })
  await page.mouse.up()
  await expect(auto).toBeVisible()

  // A scale set by hand can be moved until the last price is out of sight. The Auto button then shows in which
  // direction and how far away the price is.
  await page.mouse.move(box.x + box.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, y + 2_000, { steps: 12 })
  await page.mouse.up()
  await expect(auto).toHaveAccessibleName(/^(▲|▼)?\s*Last price below the chart: [\d.]+% Auto$/)
  await takePicture(page, 'chart free scale')
  await auto.click()
  await expect(auto).toHaveCount(0)
})
