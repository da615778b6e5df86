import { findFlaws } from './find-flaws.ts'
import { expect, test } from './fixtures.ts'

const BOX = 'width:100px;white-space:nowrap;'

test('what nobody wants to see is found, and nothing else', async ({ page }) => {
  const flawsOf = async (html: string) => {
    await page.setContent(`<meta name="viewport" content="width=device-width"><title>x</title>${html}`)
    return findFlaws(page)
  }
  expect(await flawsOf('<p>wallet.title</p>')).toEqual(['a text without words: wallet.title'])
  expect(await flawsOf('<p>Minimum is {value}</p>')).toEqual(['a text without words: {value}'])
  expect(await flawsOf(`<div style="width:900px">wide</div>`)).toEqual([expect.stringContaining('scrolls sideways')])
  const long = 'a text that is longer than its box'
  expect(await flawsOf(`<div style="${BOX}overflow:hidden">${long}</div>`)).toEqual([`cut off: "${long}" by div.`])
  expect(await flawsOf(`<button style="${BOX}">${long}</button>`)).toEqual([`cut off: "${long}" by button.`])

  expect(await flawsOf(`<div style="${BOX}overflow:hidden;text-overflow:ellipsis">${long}</div>`)).toEqual([])
  expect(await flawsOf(`<div style="${BOX}overflow-x:auto">${long}</div>`)).toEqual([])
  expect(await flawsOf('<p>Write to a.wallet.title@example.com or see www.example.com/home.html</p>')).toEqual([])
})
