import type { MarketList } from '#contract/markets.ts'
import { expect, test } from '../fixtures.ts'

const SYMBOLS = 300

test('a market list of 300 symbols renders only the rows near the screen, and can be scrolled to the last symbol', async ({
  page,
  site,
}) => {
  await page.route('**/api/user/crypto-currency/list', async (route) => {
    const reply = await route.fetch()
    const body = (await reply.json()) as { data: MarketList }
    const [first] = body.data.currencies
    const currencies = Array.from({ length: SYMBOLS }, (_, at) => ({
      ...first,
      id: 1_000 + at,
      symbol: `S${at}`,
      name: `Symbol ${at}`,
      price: at + 1,
    }))
    await route.fulfill({ response: reply, json: { ...body, data: { ...body.data, currencies } } })
  })
  // The page at another address contains no list, so the app requests it.
  await page.goto(site)
  await page.getByRole('link', { name: 'Market', exact: true }).first().click()
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /favorite/i }) })
  await expect(rows.first()).toContainText('Symbol 0')
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(SYMBOLS))
  expect(await rows.count()).toBeLessThan(40)

  const heightAtStart = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(page.getByText('Symbol 299', { exact: true })).toBeInViewport()
  await expect(rows.last()).toHaveAttribute('aria-posinset', String(SYMBOLS))
  expect(await rows.count()).toBeLessThan(40)
  expect(Math.abs((await page.evaluate(() => document.documentElement.scrollHeight)) - heightAtStart)).toBeLessThan(60)

  await page.evaluate(() => scrollTo(0, 9_000))
  await expect
    .poll(
      () =>
        rows.evaluateAll((all) =>
          all.some((row) => row.getBoundingClientRect().top < 420 && row.getBoundingClientRect().bottom > 420),
        ),
      'the screen is full',
    )
    .toBe(true)

  await page.evaluate(() => scrollTo(0, 0))
  await page.getByRole('button', { name: /price/i }).click()
  await expect(rows.first()).toContainText('Symbol 299')
})
