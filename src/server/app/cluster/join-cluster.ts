import { hostname } from 'node:os'
import type { Config } from '#server/app/config/config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type Bus, NO_BUS } from '#server/platform/cluster/bus.ts'
import { readBusKey } from '#server/platform/cluster/bus-key.queries.ts'
import { TICKS_LEASE } from '#server/platform/cluster/lease.queries.ts'
import { createLeases, type Leases } from '#server/platform/cluster/leases.ts'
import { NatsBus } from '#server/platform/cluster/nats-bus.ts'
import { readTickMessage, writeTickMessage } from '#server/market-data/replication/tick-message-codec.ts'
import type { SharedTicks } from '#server/market-data/replication/shared-ticks.ts'

/** The cluster as this server sees it: the leases and the message bus of one database. */
export interface Nodes {
  /** A random id of this process run. */
  readonly run: string
  readonly leases: Leases
  readonly bus: Bus
  readonly sharedTicks: SharedTicks
  /** Returns whether a live node does not receive messages over the bus. */
  hasDisconnectedNode(): boolean
  hasOthers(): boolean
}

/**
 * Returns the name of a node: its host and port, or the run id if it listens on no fixed port. Two nodes cannot listen
 * on one port, so a node with a known name has replaced an earlier node.
 */
export function placeOf({ roles, port }: Pick<Config, 'roles' | 'port'>, run: string): string {
  return roles.has('api') && port !== 0 ? `${hostname()}:${port}` : run
}

/**
 * Joins the cluster. `leasesDb` is a separate database connection, so that lease renewal does not wait for other
 * statements.
 */
export async function joinNodes(
  ctx: Ctx,
  config: Pick<Config, 'roles' | 'port' | 'natsUrl'>,
  leasesDb: Db,
): Promise<Nodes> {
  const run = ctx.newId()
  const { roles, natsUrl: url } = config
  const bus = url === undefined ? NO_BUS : new NatsBus({ url, log: ctx.log, run, secret: await readBusKey(ctx) })
  const me = { run, name: placeOf(config, run), roles: [...roles] }
  const leases = createLeases({ ...ctx, db: leasesDb }, me, { isOnBus: () => bus.isConnected() })
  const hasOthers = (): boolean => leases.peers().length > 0
  return {
    run,
    leases,
    bus,
    hasOthers,
    hasDisconnectedNode: () => hasOthers() && (!bus.isConnected() || leases.peers().some(({ isOnBus }) => !isOnBus)),
    sharedTicks: {
      mayLead: roles.has('feed'),
      hasOthers,
      isConnected: () => bus.isConnected(),
      publish: (word) => bus.publish('ticks', writeTickMessage(word)),
      onMessage: (listener) =>
        bus.onMessage('ticks', (body) => {
          const word = readTickMessage(body)
          if (word !== null) listener(word)
        }),
      seek({ lead, follow }) {
        leases.register({ names: [TICKS_LEASE], role: 'feed', onAcquired: lead, onLost: follow })
      },
    },
  }
}
