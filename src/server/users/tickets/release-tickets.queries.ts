import type { Tx } from '#server/platform/database/tables.ts'

/** Takes the open tickets of a staff member back into the queue of unassigned ones, after a block or a change of role. */
export async function releaseTickets(tx: Tx, staffId: string): Promise<void> {
  await tx
    .updateTable('ticket')
    .set({ owner: null })
    .where('owner', '=', staffId)
    .where('state', '<>', 'closed')
    .execute()
}
