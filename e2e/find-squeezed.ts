import type { Page } from '@playwright/test'

type Box = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>

/**
 * Lists flaws of narrow layouts in addition to `findFlaws`: prices, amounts or buttons that are cut off, even with an
 * ellipsis, and overlapping texts and controls.
 */
export function findSqueezed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const flaws = new Set<string>()
    const boxes: { readonly element: Element; readonly box: Box; readonly text: string }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (
        text === '' ||
        element === null ||
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue
      if (isForReadersOnly(element)) continue
      range.selectNodeContents(node)
      for (const rect of range.getClientRects()) {
        const box = seenOf(element, rect)
        if (box.right - box.left > 1 && box.bottom - box.top > 1) boxes.push({ element, box, text })
      }
      const whole = element.closest('.num, button, [role=tab], [role=radio], option')
      const cut = whole && cutBy(element, range.getBoundingClientRect())
      if (cut) flaws.add(`not whole: "${text.slice(0, 40)}" by ${cut}`)
      const out = frameLeft(element, range.getBoundingClientRect())
      if (out) flaws.add(`runs out of its frame: "${text.slice(0, 40)}" of ${out}`)
    }
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (one.element === other.element || layerOf(one.element) !== layerOf(other.element)) continue
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        // Lines of text may touch, because letters do not fill the height of their line.
        if (wide > 2 && high > Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top) * 0.45)
          flaws.add(`overlap: "${one.text.slice(0, 30)}" and "${other.text.slice(0, 30)}"`)
      }
    }
    return [...flaws]

    /** Yields an element and all its ancestors up to the body. */
    function* upFrom(from: Element): Generator<Element> {
      for (let element: Element | null = from; element && element !== document.body; element = element.parentElement)
        yield element
    }

    function nameOf(element: Element): string {
      return `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').slice(0, 60)}`
    }

    /** Returns the element that hides a part of the text, unless the text can be scrolled into view. */
    function cutBy(from: Element, box: DOMRect): string | null {
      for (const element of upFrom(from)) {
        const style = getComputedStyle(element)
        if (/auto|scroll/.test(style.overflowX)) return null
        const edge = element.getBoundingClientRect()
        // A single-line row that leaves out whole items without room.
        if (style.flexWrap === 'wrap' && style.overflowY === 'clip' && box.top >= edge.bottom - 3) return null
        const isControl = element.matches('button, [role=tab]')
        const isOutX = box.left < edge.left - 1.5 || box.right > edge.right + 1.5
        const isOutY = box.top < edge.top - 3 || box.bottom > edge.bottom + 3
        const hidesX = isControl || /hidden|clip/.test(style.overflowX)
        const hidesY = isControl || /hidden|clip/.test(style.overflowY)
        if ((hidesX && isOutX) || (hidesY && isOutY)) return nameOf(element)
        if (style.position === 'fixed') return null
      }
      return box.left < -1.5 || box.right > innerWidth + 1.5 ? 'the window' : null
    }

    /** Returns the card, button or badge that the text overflows. */
    function frameLeft(from: Element, box: DOMRect): string | null {
      for (const element of upFrom(from)) {
        const style = getComputedStyle(element)
        if (/auto|scroll|hidden|clip/.test(style.overflowX) || /fixed|absolute/.test(style.position)) return null
        const isDrawn = style.boxShadow !== 'none' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
        if (!isDrawn || style.borderTopLeftRadius === '0px') continue
        const edge = element.getBoundingClientRect()
        if (box.left > edge.left - 1.5 && box.right < edge.right + 1.5) return null
        return nameOf(element)
      }
      return null
    }

    /** Returns the part of a box that is neither cut off nor scrolled away. */
    function seenOf(from: Element, { left, top, right, bottom }: DOMRect): Box {
      const seen = { left, top, right, bottom }
      for (const element of upFrom(from)) {
        const style = getComputedStyle(element)
        const edge = element.getBoundingClientRect()
        if (style.overflowX !== 'visible') {
          seen.left = Math.max(seen.left, edge.left)
          seen.right = Math.min(seen.right, edge.right)
        }
        if (style.overflowY !== 'visible') {
          seen.top = Math.max(seen.top, edge.top)
          seen.bottom = Math.min(seen.bottom, edge.bottom)
        }
      }
      return seen
    }

    /**
     * Returns the layer of an element. Fixed and sticky elements cover the page as it scrolls, and a dialog covers all
     * of it.
     */
    function layerOf(from: Element): Element | null {
      for (let element: Element | null = from; element !== null; element = element.parentElement) {
        if (element.matches('dialog, [aria-hidden=true]') || /fixed|sticky/.test(getComputedStyle(element).position))
          return element
      }
      return null
    }

    function isForReadersOnly(from: Element): boolean {
      for (const element of upFrom(from)) {
        const { width, height } = element.getBoundingClientRect()
        if ((width <= 1 || height <= 1) && getComputedStyle(element).position === 'absolute') return true
        if (getComputedStyle(element).clipPath !== 'none') return true
      }
      return false
    }
  })
}
