export type Box = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>

/** The parts of an element's box and style that decide whether its texts are in view. */
export interface MeasuredElement {
  /** The index of the parent; null below the body. */
  readonly parent: number | null
  readonly name: string
  readonly box: Box
  readonly style: Readonly<
    Record<
      | 'overflowX'
      | 'overflowY'
      | 'flexWrap'
      | 'position'
      | 'clipPath'
      | 'boxShadow'
      | 'backgroundColor'
      | 'borderTopLeftRadius',
      string
    >
  >
  readonly isControl: boolean
  /**
   * Whether the element is a dialog, which covers the page, or is hidden from screen readers and so may overlap its
   * neighbours.
   */
  readonly isOwnLayer: boolean
}

export interface MeasuredText {
  readonly text: string
  /** The index of the text's element in `elements`. */
  readonly element: number
  /** The box of each line, and the box around all lines. */
  readonly lines: readonly Box[]
  readonly box: Box
  /** Whether the text is a number or in a control. Such a text must not be cut off, not even with an ellipsis. */
  readonly isWhole: boolean
}

export interface MeasuredPage {
  readonly width: number
  readonly elements: readonly MeasuredElement[]
  readonly texts: readonly MeasuredText[]
}

/**
 * Measures every visible text and the elements around it. The function runs in the page, so it can use nothing from
 * outside of it.
 */
export function measureTexts(): MeasuredPage {
  const elements: MeasuredElement[] = []
  const texts: MeasuredText[] = []
  const indexes = new Map<Element, number>()

  function indexOf(element: Element): number {
    const known = indexes.get(element)
    if (known !== undefined) return known
    const above = element.parentElement
    const parent = above === null || above === document.body ? null : indexOf(above)
    const { overflowX, overflowY, flexWrap, position, clipPath, boxShadow, backgroundColor, borderTopLeftRadius } =
      getComputedStyle(element)
    elements.push({
      parent,
      name: `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').slice(0, 60)}`,
      box: boxOf(element.getBoundingClientRect()),
      style: { overflowX, overflowY, flexWrap, position, clipPath, boxShadow, backgroundColor, borderTopLeftRadius },
      isControl: element.matches('button, [role=tab]'),
      isOwnLayer: element.matches('dialog, [aria-hidden=true]'),
    })
    indexes.set(element, elements.length - 1)
    return elements.length - 1
  }

  function boxOf({ left, top, right, bottom }: DOMRect): Box {
    return { left, top, right, bottom }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? ''
    const element = node.parentElement
    if (text === '' || !element?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (element === document.body) continue
    range.selectNodeContents(node)
    texts.push({
      text,
      element: indexOf(element),
      lines: [...range.getClientRects()].map(boxOf),
      box: boxOf(range.getBoundingClientRect()),
      isWhole: element.closest('.num, button, [role=tab], [role=radio], option') !== null,
    })
  }
  return { width: innerWidth, elements, texts }
}
