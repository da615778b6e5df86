/**
 * Whether a link in a page or post is safe: another site over http(s), a `mailto:` address, or a path of this site. All
 * other links (`javascript:`, `data:`, `//elsewhere`, `/\elsewhere`) are unsafe.
 */
export function isSafeLink(link: string): boolean {
  return /^(?:https?:\/\/[^\s<>"\\]+|mailto:[^\s<>"\\]+|\/(?![/\\])[^\s<>"\\]*)$/i.test(link)
}

/** Whether a link leads to another site. */
export function isOutside(link: string): boolean {
  return !link.startsWith('/')
}
