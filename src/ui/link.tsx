import { createContext, type AnchorHTMLAttributes, type MouseEvent, useContext } from 'react'

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /** Another site: opens in a new tab without sending a referrer. */
  external?: boolean | undefined
}

/**
 * Navigation inside the app. The app provides the `navigate` function of its router, so that this folder does not
 * depend on a router. Without it, links load the page.
 */
const NavigateContext = createContext<((href: string) => void) | null>(null)

export const NavigateProvider = NavigateContext.Provider

/** A link. The router handles a plain press inside the app; the browser handles presses with a modifier key. */
export function Link({ external = false, href, onClick, children, ...rest }: LinkProps) {
  const navigate = useContext(NavigateContext)
  if (external) {
    return (
      <a {...rest} href={href} onClick={onClick} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    )
  }
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (navigate === null || event.defaultPrevented || wantsBrowser(event)) return
    event.preventDefault()
    navigate(href)
  }
  return (
    <a {...rest} href={href} onClick={press}>
      {children}
    </a>
  )
}

function wantsBrowser(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { target } = event.currentTarget
  return (
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey ||
    (target !== '' && target !== '_self') ||
    event.currentTarget.hasAttribute('download')
  )
}
