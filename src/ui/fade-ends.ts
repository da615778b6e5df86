/**
 * Fades each end of a strip beyond which content is hidden, and puts an arrow there, because phones hide the scrollbar.
 * Use it as the `ref` of every element that scrolls sideways.
 */
export function fadeEnds(strip: HTMLElement | null): (() => void) | undefined {
  if (strip === null) return undefined
  const show = () => {
    const more = endsWithMore(strip)
    if (more === '') delete strip.dataset['more']
    else strip.dataset['more'] = more
  }
  const sizes = new ResizeObserver(show)
  const watchSizes = () => {
    sizes.disconnect()
    for (const one of [strip, ...strip.children]) sizes.observe(one)
  }
  const children = new MutationObserver(() => {
    watchSizes()
    show()
  })
  const listeners = new AbortController()
  watchSizes()
  children.observe(strip, { childList: true })
  strip.addEventListener('scroll', show, { passive: true, signal: listeners.signal })
  show()
  return () => {
    listeners.abort()
    children.disconnect()
    sizes.disconnect()
  }
}

/** Returns "left", "right" or both. In right-to-left pages, scrollLeft runs from zero to negative values. */
function endsWithMore(strip: HTMLElement): string {
  const hidden = strip.scrollWidth - strip.clientWidth
  const isRtl = getComputedStyle(strip).direction === 'rtl'
  const onLeft = isRtl ? hidden + strip.scrollLeft : strip.scrollLeft
  // Browsers round sizes and positions separately, so a difference of up to 1 px is not hidden content.
  return [onLeft > 1 && 'left', hidden - onLeft > 1 && 'right'].filter(Boolean).join(' ')
}
