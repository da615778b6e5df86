import type { ColumnType, Generated } from 'kysely'
import type { Int8, JsonOrNull } from '#server/platform/database/tables/column-types.ts'

/** The tables that the room `audit` owns, and that no other room writes (exceptions: `table-owners.test.ts`). */
export interface AuditTables {
  admin_action: {
    id: string
    at_ms: Int8
    who: string
    what: string
    target: string
    reason: string
    outcome: string
    before: JsonOrNull
    after: JsonOrNull
    staff_id: string | null
    request_id: Generated<string>
    address: Generated<string>
    /** Number and hashes are the database's own: null until the line's transaction commits. */
    seq: ColumnType<bigint | null, never, never>
    previous_hash: ColumnType<Uint8Array | null, never, never>
    hash: ColumnType<Uint8Array | null, never, never>
  }
  first_approval: { kind: string; subject: string; content_hash: string; staff_id: string; at_ms: Int8 }
  staff_remark: { kind: string; subject: string; id: string; staff_id: string; text: string; at_ms: Int8 }
}
