import type { Int8 } from '#server/platform/database/tables/column-types.ts'

/** The tables that the room `sockets` owns, and that no other room writes (exceptions: `table-owners.test.ts`). */
export interface SocketsTables {
  result_seen: { user_id: string; until_number: Int8; beyond: Int8[] }
}
