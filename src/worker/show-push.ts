/** A message as the site sends it: the declarative form, which Safari shows by itself. */
interface PushedNotification {
  readonly title: string
  readonly options: NotificationOptions & { readonly data: { readonly path: string } }
  /** The number for the icon of the installed app. */
  readonly badge: number | null
}

/**
 * Reads a message. Browsers end a subscription that shows nothing, so a message that cannot be read becomes one that leads to
 * the inbox. Links to other sites are never followed.
 */
export function readPush(
  text: string | undefined,
  { origin, name }: { origin: string; name: string },
): PushedNotification {
  const { notification = {} } = (parse(text) ?? {}) as { notification?: Record<string, unknown> }
  const texts = (key: string) => (typeof notification[key] === 'string' ? notification[key] : undefined)
  const dir = texts('dir')
  const badge = Number(texts('app_badge') ?? Number.NaN)
  const [body, lang, tag] = [texts('body'), texts('lang'), texts('tag')]
  return {
    title: texts('title') ?? name,
    options: {
      ...(body !== undefined && { body }),
      ...(lang !== undefined && { lang }),
      ...(tag !== undefined && { tag }),
      dir: dir === 'rtl' || dir === 'ltr' ? dir : 'auto',
      data: { path: pathOf(texts('navigate') ?? '', origin) },
    },
    badge: Number.isSafeInteger(badge) && badge >= 0 ? badge : null,
  }
}

function parse(text: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The path of an address. Only notices and the inbox are opened, always on this site. */
function pathOf(address: string, origin: string): string {
  const path = URL.canParse(address, origin) ? new URL(address, origin).pathname : ''
  return /^\/n\/[\w-]{1,64}$/.test(path) ? path : '/inbox'
}
