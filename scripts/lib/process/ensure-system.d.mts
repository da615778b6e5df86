export function ensureSystem(names: readonly ('browser' | 'fonts' | 'postgres' | 'nats')[]): Promise<void>
/** The folder with PostgreSQL's programs; undefined when there is none. */
export function findPostgres(): string | undefined

/** The path of the system's Chromium; CHROMIUM_PATH names another one. */
export function findChromium(): string
