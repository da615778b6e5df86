export function ensureSystem(
  names: readonly ('browser' | 'firefox' | 'fonts' | 'postgres' | 'nats' | 'faketime' | 'webkit' | 'display')[],
): Promise<void>
/** The folder with PostgreSQL's programs; undefined when there is none. */
export function findPostgres(): string | undefined

/** The path of the system's Chromium; CHROMIUM_PATH names another one. */
export function findChromium(): string

/** The path of the system's Firefox ESR; FIREFOX_PATH names another one. */
export function findFirefox(): string

/** The library that shifts the clock of a program. */
export function findFaketime(): string | undefined

/** The path of WebKitGTK's own small browser. */
export function findMiniBrowser(): string | undefined
