import type { Page } from '@playwright/test'
import { type Box, type MeasuredElement, type MeasuredPage, measureTexts } from './measure-texts.ts'

/**
 * Lists flaws of narrow layouts in addition to `findFlaws`: prices, amounts or buttons that are cut off, even with an
 * ellipsis, and overlapping texts and controls.
 */
export async function findSqueezed(page: Page): Promise<string[]> {
  const measured = await page.evaluate(measureTexts)
  const texts = measured.texts.map((text) => ({ ...text, around: [...upFrom(measured, text.element)] }))
  const flaws = new Set<string>()
  const lines: Line[] = []
  for (const { text, element, lines: boxes, box, isWhole, around } of texts) {
    if (isForReadersOnly(around)) continue
    const layer = layerOf(around)
    for (const line of boxes) {
      const seen = seenOf(around, line)
      if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1) lines.push({ element, layer, box: seen, text })
    }
    const cut = isWhole ? cutBy(around, box, measured.width) : null
    if (cut) flaws.add(`not whole: "${text.slice(0, 40)}" by ${cut}`)
    const out = frameLeft(around, box)
    if (out) flaws.add(`runs out of its frame: "${text.slice(0, 40)}" of ${out}`)
  }
  for (const flaw of overlaps(lines)) flaws.add(flaw)
  return [...flaws]
}

/** The visible part of a line of text. */
interface Line {
  readonly element: number
  readonly layer: MeasuredElement | null
  readonly box: Box
  readonly text: string
}

/** Yields an element and all its ancestors below the body. */
function* upFrom({ elements }: MeasuredPage, from: number): Generator<MeasuredElement> {
  for (let element = elements[from]; element; element = elements[element.parent ?? -1]) yield element
}

function* overlaps(lines: readonly Line[]): Generator<string> {
  for (const [at, one] of lines.entries()) {
    for (const other of lines.slice(at + 1)) {
      if (one.element === other.element || one.layer !== other.layer) continue
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      // Lines of text may touch, because letters do not fill the height of their line.
      if (wide > 2 && high > Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top) * 0.45)
        yield `overlap: "${one.text.slice(0, 30)}" and "${other.text.slice(0, 30)}"`
    }
  }
}

/** Returns the element that hides a part of the text, unless the text can be scrolled into view. */
function cutBy(around: readonly MeasuredElement[], box: Box, width: number): string | null {
  for (const { box: edge, style, isControl, name } of around) {
    if (/auto|scroll/.test(style.overflowX)) return null
    // Not a flaw: this single-line row hides whole items when there is no room for them.
    if (style.flexWrap === 'wrap' && style.overflowY === 'clip' && box.top >= edge.bottom - 3) return null
    const isOutX = box.left < edge.left - 1.5 || box.right > edge.right + 1.5
    const isOutY = box.top < edge.top - 3 || box.bottom > edge.bottom + 3
    const hidesX = isControl || /hidden|clip/.test(style.overflowX)
    const hidesY = isControl || /hidden|clip/.test(style.overflowY)
    if ((hidesX && isOutX) || (hidesY && isOutY)) return name
    if (style.position === 'fixed') return null
  }
  return box.left < -1.5 || box.right > width + 1.5 ? 'the window' : null
}

/** Returns the card, button or badge that the text overflows. */
function frameLeft(around: readonly MeasuredElement[], box: Box): string | null {
  for (const { box: edge, style, name } of around) {
    if (/auto|scroll|hidden|clip/.test(style.overflowX) || /fixed|absolute/.test(style.position)) return null
    const isDrawn = style.boxShadow !== 'none' || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
    if (!isDrawn || style.borderTopLeftRadius === '0px') continue
    return box.left > edge.left - 1.5 && box.right < edge.right + 1.5 ? null : name
  }
  return null
}

/** Returns the part of a box that is neither cut off nor scrolled away. */
function seenOf(around: readonly MeasuredElement[], { left, top, right, bottom }: Box): Box {
  const seen = { left, top, right, bottom }
  for (const { box: edge, style } of around) {
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
 * Returns the layer of an element. Fixed and sticky elements cover the page as it scrolls, and a dialog covers all of
 * it.
 */
function layerOf(around: readonly MeasuredElement[]): MeasuredElement | null {
  return around.find(({ style, isOwnLayer }) => isOwnLayer || /fixed|sticky/.test(style.position)) ?? null
}

function isForReadersOnly(around: readonly MeasuredElement[]): boolean {
  return around.some(({ box, style }) => {
    const isTiny = box.right - box.left <= 1 || box.bottom - box.top <= 1
    return (isTiny && style.position === 'absolute') || style.clipPath !== 'none'
  })
}
