import type { Int8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/sockets`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface SocketsTables {
  result_seen: { user_id: string; until_number: Int8; beyond: Int8[] }
}
