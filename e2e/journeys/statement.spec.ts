import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '../fixtures.ts'
import { useTheme } from '../theme.ts'
import { createUser, openAs } from '../users.ts'

test('US2.4: a downloaded statement is checked on the check page, and a changed one is not accepted', async ({
  page,
  site,
}, testInfo) => {
  const user = await createUser(site, { funds: 250 })
  await openAs(page, user, site, '/account/statement')
  await expect(page.locator('dl')).toContainText('$250.00')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download signed file' }).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  const drop = page.getByLabel('Choose or drop a file')
  for (const [name, content, words] of [
    ['whole', text, 'signature, rows, sums and result numbers match'],
    ['changed', text.replaceAll('250.00', '950.00'), 'The rows are not the ones that were signed.'],
  ] as const) {
    const file = testInfo.outputPath(`${name}.json`)
    writeFileSync(file, content)
    await page.goto(`${site}/check`)
    await drop.setInputFiles(file)
    await expect(page.getByText(words)).toBeVisible()
  }
})

test('US2.6: the statement prints with its rows, totals and verdict, in any language and black on white', async ({
  page,
  site,
}) => {
  const user = await createUser(site, { funds: 250 })
  await page.addInitScript(() => {
    globalThis.print = () => undefined
  })
  await openAs(page, user, site, '/account/statement')
  for (const [language, button] of [
    ['en', 'Print'],
    ['ar', 'طباعة'],
    ['ja', '印刷'],
    ['th', 'พิมพ์'],
  ] as const) {
    await page.evaluate((code) => localStorage.setItem('lang', code), language)
    await page.reload()
    await useTheme(page, 'dark')
    await page.getByRole('button', { name: button, exact: true }).click()
    const sheet = page.locator('body > .print-sheet')
    await expect(sheet).toHaveCount(1)
    await page.emulateMedia({ media: 'print' })
    await expect(sheet).toBeVisible()
    await expect(page.locator('#root')).toBeHidden()
    await expect(sheet.locator('tbody tr')).toHaveCount(1)
    await expect(sheet.locator('code')).toHaveText(/^[0-9a-f]{64}$/)
    const look = await sheet.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      const isWide = element.scrollWidth > element.clientWidth
      return {
        color,
        backgroundColor,
        isWide,
        repeated: getComputedStyle(element.querySelector('thead') ?? element).display,
      }
    })
    expect(look).toEqual({
      color: 'rgb(0, 0, 0)',
      backgroundColor: 'rgb(255, 255, 255)',
      isWide: false,
      repeated: 'table-header-group',
    })
    const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await page.emulateMedia({ media: null })
    await page.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')))
    await expect(sheet).toHaveCount(0)
  }
})
