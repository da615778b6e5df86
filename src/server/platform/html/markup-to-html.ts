import { parseMarkup } from '#core/content/markup.ts'
import { htmlOf } from '#core/content/markup-html.ts'
import { sanitizeMarkup } from '#server/platform/html/sanitize-markup.ts'

/** A gateway's description for users: HTML made from our markup. Descriptions stored as HTML are cleaned first. */
export function descriptionHtml(description: string): string {
  return htmlOf(parseMarkup(sanitizeMarkup(description)))
}
