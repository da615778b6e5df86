import { parseMarkup } from '#core/content/markup.ts'
import { htmlOf } from '#core/content/markup-html.ts'
import { cleanText } from '#server/platform/html/sanitize-markup.ts'

/** What the operator says of a gateway, as users get it: HTML made from our markup. What was stored as HTML is cleaned. */
export function descriptionHtml(description: string): string {
  return htmlOf(parseMarkup(cleanText(description)))
}
