import { findFlaws } from './find-flaws.ts'
import { findShortened } from './find-shortened.ts'
import { findSqueezed } from './find-squeezed.ts'
import { expect, test } from './fixtures.ts'

const BOX = 'width:100px;white-space:nowrap;'

test('findFlaws finds flaws of a page, and nothing else', async ({ page }) => {
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

test('findFlaws finds squeezed content, and nothing else', async ({ page }) => {
  const flawsOf = async (html: string) => {
    await page.setContent(`<meta name="viewport" content="width=device-width"><title>x</title>${html}`)
    return findSqueezed(page)
  }
  const price = '116,450.1234567890'
  const hidden = `${BOX}overflow:hidden;text-overflow:ellipsis`
  expect(await flawsOf(`<p class="num" style="${hidden}">${price}</p>`)).toEqual([`not whole: "${price}" by p.num`])
  expect(
    await flawsOf(`<button><span style="display:block;${hidden}">A long name of a button</span></button>`),
  ).toEqual(['not whole: "A long name of a button" by span.'])
  expect(await flawsOf('<p>One text</p><p style="margin-top:-28px">Another text</p>')).toEqual([
    'overlap: "One text" and "Another text"',
  ])

  expect(await flawsOf(`<p style="${hidden}">A name that may be cut, as it says</p>`)).toEqual([])
  expect(await flawsOf(`<div style="${BOX}overflow-x:auto"><b class="num">${price}</b></div>`)).toEqual([])
  expect(await flawsOf('<p>One</p><p style="position:sticky;top:0;margin-top:-28px">Another</p>')).toEqual([])
})

test('findFlaws finds shortened words and strips without a sign, and nothing else', async ({ page }) => {
  const flawsOf = async (html: string) => {
    await page.setContent(`<meta name="viewport" content="width=device-width"><title>x</title>${html}`)
    return findShortened(page)
  }
  const long = 'a text that is longer than its box'
  const ellipsis = `${BOX}overflow:hidden;text-overflow:ellipsis`
  const clamp = 'width:100px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1'
  const fade = 'mask-image:linear-gradient(to right, black, transparent)'
  expect(await flawsOf(`<p style="${ellipsis}">${long}</p>`)).toEqual([`shortened: "${long}"`])
  expect(await flawsOf(`<h1 style="${clamp}">${long}</h1>`)).toEqual([`shortened: "${long}"`])
  expect(await flawsOf(`<div style="${BOX}overflow-x:auto">${long}</div>`)).toEqual([
    `scrolls without a sign: "${long}" in div.`,
  ])

  expect(await flawsOf(`<p style="${ellipsis}">short</p>`)).toEqual([])
  expect(await flawsOf(`<p style="${ellipsis};display:none">${long}</p>`)).toEqual([])
  expect(await flawsOf(`<div style="${BOX}overflow-x:auto">short</div>`)).toEqual([])
  expect(await flawsOf(`<div style="${BOX}overflow-x:auto;${fade}">${long}</div>`)).toEqual([])
  expect(await flawsOf(`<input style="${ellipsis}" value="${long}">`)).toEqual([])
  expect(await flawsOf(`<article><p class="line-clamp-3" style="${clamp}">${long}</p></article>`)).toEqual([])
})
