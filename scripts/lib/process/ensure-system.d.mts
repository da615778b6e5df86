export function ensureSystem(names: readonly ('browser' | 'fonts' | 'postgres' | 'nats')[]): Promise<void>
/** The folder with PostgreSQL's programs; undefined when there is none. */
export function findPostgres(): string | undefined
