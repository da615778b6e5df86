import type { ColumnType, Generated } from 'kysely'
import type {
  Int8,
  Int8WithDefault,
  Json,
  JsonOrNull,
  OptionalInt8,
} from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/audit`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
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
    /**
     * The database sets the number and the hashes. These columns are null until the transaction of the entry commits.
     */
    seq: ColumnType<bigint | null, never, never>
    previous_hash: ColumnType<Uint8Array | null, never, never>
    hash: ColumnType<Uint8Array | null, never, never>
  }
  /** The text of an entry about a user, until the user's data is erased. */
  admin_action_words: {
    line_id: ColumnType<string, never, never>
    user_id: ColumnType<string, never, never>
    salt: ColumnType<Uint8Array, never, never>
    reason: ColumnType<string, never, never>
    before: ColumnType<unknown, never, never>
    after: ColumnType<unknown, never, never>
  }
  approval: {
    id: string
    kind: string
    subject: string
    content_hash: string
    step: number
    staff_id: string | null
    person: string
    at_ms: Int8
    user_id: string | null
    destination: string | null
    amount: Int8WithDefault
    place: Generated<string>
    mark: Generated<string>
  }
  /** Calls of staff that were carried out, with their replies. */
  staff_request: { staff_id: string; request_id: string; content_hash: string; answer: string; at_ms: Int8 }
  pending_change: {
    id: string
    kind: string
    subject: string
    before: Json
    after: Json
    content_hash: string
    asked_by: string
    asked_ms: Int8
    asked_from: string
    second_by: string | null
    second_ms: OptionalInt8
    applies_ms: OptionalInt8
    state: string
    ended_by: Generated<string>
    ended_ms: OptionalInt8
    /** The last state that was mailed to owners and approvers, or `link_due` while an invited person has no link. */
    mailed: Generated<string>
    mark: Generated<string>
    reason: string
  }
  staff_remark: { kind: string; subject: string; id: string; staff_id: string; text: string; at_ms: Int8 }
}
