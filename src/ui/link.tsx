import { createContext, type AnchorHTMLAttributes, type MouseEvent, useContext } from 'react'

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /** Another site: opens in a new tab and tells it nothing about where the visitor came from. */
  external?: boolean | undefined
}

/**
 * How to go somewhere inside the app. The app provides its router's `navigate` once, so that nothing in here depends
 * on a router; without it links load the page they name.
 */
const NavigateContext = createContext<((href: string) => void) | null>(null)

export const NavigateProvider = NavigateContext.Provider

/** A link. A plain press inside the app is handed to the router; with a modifier key the browser does its own thing. */
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
