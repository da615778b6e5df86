import type { LeaseRow, Presence } from '#server/platform/cluster/lease.queries.ts'
import type { LeaseRequest } from '#server/platform/cluster/lease-request.ts'

export interface ShareFacts {
  readonly me: Pick<Presence, 'run' | 'name'>
  readonly liveNodes: readonly Presence[]
  readonly rows: readonly Pick<LeaseRow, 'lease' | 'owner' | 'isOver'>[]
  /**
   * Whether this is the first attempt of this server. Only then is it certain that an earlier server with the same name
   * is gone.
   */
  readonly isFirst: boolean
}

/**
 * How many of the requested leases this server may hold: an equal share among the live servers with the role, rounded
 * up.
 */
export function shareOf({ names, role }: Pick<LeaseRequest, 'names' | 'role'>, liveNodes: readonly Presence[]): number {
  const count = liveNodes.filter(({ roles }) => roles.includes(role)).length
  return Math.ceil(names.length / Math.max(1, count))
}

/** Whether this server may take the lease. */
export function isFree(lease: string, { me, liveNodes, rows, isFirst }: ShareFacts): boolean {
  const row = rows.find((one) => one.lease === lease)
  if (row === undefined || row.isOver) return true
  const owner = liveNodes.find(({ run }) => run === row.owner)
  return isFirst && row.owner !== me.run && owner?.name === me.name
}
