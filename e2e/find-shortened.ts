import type { Page } from '@playwright/test'

/**
 * Only two kinds of text may end in an ellipsis: the typed text of a field, and the start of a post, whose title links
 * to the whole post. Readers need every other text in full.
 */
const MAY_BE_SHORTENED = ['input', 'textarea', 'select', 'article > .line-clamp-3'].join()
/** Strips that need no other sign: slides fill the width, and the dots below the slides show how many there are. */
const SAYS_MORE_ITSELF = '[aria-roledescription] > ul'

/** Lists texts that an ellipsis shortens, and strips that scroll sideways without showing it by a fade at the edge. */
export function findShortened(page: Page): Promise<string[]> {
  return page.evaluate(
    ([mayBeShortened, saysMoreItself]) => {
      const flaws: string[] = []
      for (const one of document.querySelectorAll<HTMLElement>('body *')) {
        if (!one.checkVisibility({ visibilityProperty: true }) || one.clientWidth <= 1) continue
        const style = getComputedStyle(one)
        const isWider = one.scrollWidth > one.clientWidth + 1
        const isClamped = style.webkitLineClamp !== 'none' && one.scrollHeight > one.clientHeight + 1
        const says = `"${one.textContent.trim().slice(0, 60)}"`
        if ((style.textOverflow === 'ellipsis' && isWider) || isClamped) {
          if (!one.matches(mayBeShortened)) flaws.push(`shortened: ${says}`)
        } else if (isWider && /auto|scroll/.test(style.overflowX)) {
          const hasSign = style.maskImage.includes('gradient') || one.matches(saysMoreItself)
          if (!hasSign) flaws.push(`scrolls without a sign: ${says} in ${one.tagName.toLowerCase()}.${one.className}`)
        }
      }
      return [...new Set(flaws)]
    },
    [MAY_BE_SHORTENED, SAYS_MORE_ITSELF] as const,
  )
}
