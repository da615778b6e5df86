export function ensureSystem(names: readonly ('browser' | 'firefox' | 'fonts' | 'postgres' | 'nats')[]): Promise<void>
/** The folder with PostgreSQL's programs; undefined when there is none. */
export function findPostgres(): string | undefined

/** The path of the system's Chromium; CHROMIUM_PATH names another one. */
export function findChromium(): string

/** The path of the system's Firefox ESR; FIREFOX_PATH names another one. */
export function findFirefox(): string
