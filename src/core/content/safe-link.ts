/**
 * Whether a link that an operator wrote may be followed: to another site over http, to a mail program, or to a path of
 * this site. Anything else (`javascript:`, `data:`, `//elsewhere`, `/\elsewhere`) may not.
 */
export function isSafeLink(link: string): boolean {
  return /^(?:https?:\/\/[^\s<>"\\]+|mailto:[^\s<>"\\]+|\/(?![/\\])[^\s<>"\\]*)$/i.test(link)
}

/** Whether it leads away from this site. */
export function isOutside(link: string): boolean {
  return !link.startsWith('/')
}
