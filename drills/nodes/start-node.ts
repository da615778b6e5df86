import { generateKeyPairSync } from 'node:crypto'
import { type ServerProcess, startServerProcess } from '#test/support/server-process.ts'

/** The settings that are specific to one server. */
export interface Start {
  readonly extra?: Readonly<Record<string, string>>
  readonly program?: string
}

export type StartServer = (roles: string, start?: Start) => Promise<ServerProcess>

/** Returns a function that starts servers of one cluster, with the same keys. */
export function nodeStarter(databaseUrl: string, natsUrl: string, folder: string): StartServer {
  const [signingKey, registerKey] = [newKey(), newKey()]
  const environment = {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '5',
    NATS_URL: natsUrl,
    FAIRWICK_DATA_DIR: folder,
    FAIRWICK_SIGNING_KEY: signingKey,
    FAIRWICK_REGISTER_KEY: registerKey,
    FAIRWICK_BOTS: 'off',
    LOG_LEVEL: 'warn',
  }
  return (roles, { extra = {}, program } = {}) =>
    startServerProcess(
      {
        ...environment,
        FAIRWICK_ROLES: roles,
        // A server without calls reports its readiness only on the metrics port.
        ...(!roles.includes('api') && { FAIRWICK_METRICS_PORT: '0' }),
        ...extra,
      },
      program,
    )
}

function newKey(): string {
  return JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
}
