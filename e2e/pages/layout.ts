import type { Page } from '@playwright/test'

/**
 * Lists prices and symbol codes that are not fully visible. Causes: hidden by an ancestor, outside the window, covered
 * by other text, or rendered without `dir="ltr"`. A scrollable strip hides nothing.
 */
export function findCutPrices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws: string[] = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) flaws.push(`the page scrolls sideways: ${scrollWidth} in ${clientWidth}`)
    const range = document.createRange()
    const boxOf = (node: Node) => {
      range.selectNodeContents(node)
      return range.getBoundingClientRect()
    }
    const texts: { text: string; box: DOMRect; parent: Element }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (text === '' || !parent?.checkVisibility({ visibilityProperty: true })) continue
      const box = boxOf(node)
      const isForEyes = box.width > 1 && getComputedStyle(parent).clipPath === 'none' && !isTiny(parent)
      if (isForEyes) texts.push({ text, box, parent })
    }
    for (const one of texts) {
      const isCode = /^(\/?[A-Z]{2,6})$/.test(one.text) && one.parent.closest('[dir=ltr]') !== null
      if (isCode && !isOnHiddenLine(one.parent, one.box)) {
        const by = hiddenBy(one.parent, one.box)
        if (by !== null) flaws.push(`${one.text} is cut by ${by}`)
      }
      if (!/^[−+$]?\d[\d,]*(\.\d*)?$|^\.\d{2,}$/.test(one.text) || !/\d[.,]\d|^\.\d/.test(one.text)) continue
      const by = hiddenBy(one.parent, one.box)
      if (by !== null) flaws.push(`${one.text} is cut by ${by}`)
      if (one.parent.closest('[dir]')?.getAttribute('dir') !== 'ltr') flaws.push(`${one.text} has no dir="ltr"`)
      const row = one.parent.closest('li, tr, dl, a, button')
      for (const other of texts) {
        if (row === null || other === one || !row.contains(other.parent)) continue
        const isOver =
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 1 &&
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 2
        if (isOver) flaws.push(`${one.text} lies over "${other.text.slice(0, 20)}"`)
      }
    }
    return [...new Set(flaws)]

    function isTiny(from: Element): boolean {
      for (let element: Element | null = from; element !== null; element = element.parentElement) {
        const { width, height } = element.getBoundingClientRect()
        if (width <= 1 || height <= 1) return getComputedStyle(element).overflow === 'hidden'
      }
      return false
    }

    /** Whether a part is hidden as a whole, because it did not fit and wrapped to a line below the visible line. */
    function isOnHiddenLine(from: Element, box: DOMRect): boolean {
      const line = from.parentElement
      return (
        line !== null &&
        getComputedStyle(line).overflowY === 'clip' &&
        box.top >= line.getBoundingClientRect().bottom - 1
      )
    }

    function hiddenBy(from: Element, box: DOMRect): string | null {
      for (let element: Element | null = from; element !== null; element = element.parentElement) {
        const { overflowX } = getComputedStyle(element)
        if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth) return null
        const edge = element.getBoundingClientRect()
        const name = `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').slice(0, 40)}`
        if (/hidden|clip/.test(overflowX) && (box.left < edge.left - 0.6 || box.right > edge.right + 0.6)) return name
      }
      return box.left < -0.6 || box.right > innerWidth + 0.6 ? 'the window' : null
    }
  })
}

/** Lists all controls whose centre is covered by a toast. */
export function findCoveredByToast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toast = document.querySelector('[data-toast]')?.getBoundingClientRect()
    if (toast === undefined) return ['no message is shown']
    const covered: string[] = []
    for (const element of document.querySelectorAll('a[href], button, input, select, textarea, [role=tab]')) {
      if (element.closest('[data-toast]') !== null || !element.checkVisibility({ visibilityProperty: true })) continue
      const box = element.getBoundingClientRect()
      const isOver =
        Math.min(box.right, toast.right) - Math.max(box.left, toast.left) > 1 &&
        Math.min(box.bottom, toast.bottom) - Math.max(box.top, toast.top) > 1
      if (isOver && box.width > 1)
        covered.push(element.textContent?.trim() || (element.getAttribute('aria-label') ?? '?'))
    }
    return covered
  })
}
