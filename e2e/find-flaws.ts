import type { Page } from '@playwright/test'
import english from '#messages/en.json' with { type: 'json' }

const SECTIONS = Object.keys(english)

/** Lists visible flaws of a page: a page wider than the window, text that is cut off, text keys instead of texts. */
export function findFlaws(page: Page): Promise<string[]> {
  return page.evaluate((sections) => {
    const flaws: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...document.querySelectorAll('body *')].filter((one) => {
        const { left, right } = one.getBoundingClientRect()
        if (left >= -1 && right <= root.clientWidth + 1) return false
        for (let above = one.parentElement; above !== null && above !== document.body; above = above.parentElement)
          if (getComputedStyle(above).overflowX !== 'visible') return false
        return getComputedStyle(one).position !== 'fixed'
      })
      const widest = wide.map((one) => `${one.tagName.toLowerCase()}.${(one.getAttribute('class') ?? '').slice(0, 40)}`)
      flaws.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth} by ${widest.slice(0, 4).join(' < ')}`)
    }

    const raw = new RegExp(`(?<![\\w./@-])(?:${sections.join('|')})\\.[a-z]\\w*|\\{[a-z]\\w*\\}`)
    const words = `${document.title}\n${document.body.innerText}`
    const key = raw.exec(words)
    if (key) flaws.push(`a text without words: ${key[0]}`)

    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const parent = node.parentElement
      if (text === '' || parent === null || !parent.checkVisibility({ visibilityProperty: true })) continue
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      const cut = box.width > 0 && cutBy(parent, box)
      if (cut) flaws.push(`cut off: "${text.slice(0, 60)}" by ${cut}`)
    }
    return [...new Set(flaws)]

    /**
     * Returns the element that hides a part of the text horizontally. Elements with an ellipsis or scrolling do not
     * count.
     */
    function cutBy(from: Element, box: DOMRect): string | null {
      for (
        let element: Element | null = from;
        element !== null && element !== document.body;
        element = element.parentElement
      ) {
        const style = getComputedStyle(element)
        if (style.textOverflow === 'ellipsis' || /auto|scroll/.test(style.overflowX)) return null
        if (style.position === 'fixed' && element.clientWidth === 0) return null
        const edge = element.getBoundingClientRect()
        // Not a flaw: the element is hidden on purpose, because its text is only for screen readers.
        if (edge.width <= 1 || edge.height <= 1 || style.clipPath !== 'none') return null
        const hides = /hidden|clip/.test(style.overflowX) || element.matches('button, [role=tab]')
        if (hides && (box.left < edge.left - 1.5 || box.right > edge.right + 1.5)) {
          return `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').slice(0, 60)}`
        }
      }
      return null
    }
  }, SECTIONS)
}
