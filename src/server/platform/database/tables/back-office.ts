import type { ColumnType, Generated } from 'kysely'
import type { Bytes, Int8, Json, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/back-office`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface BackOfficeTables {
  staff: {
    id: string
    name: string
    role: string
    password_hash: string | null
    totp_secret: string | null
    totp_last_step: ColumnType<bigint, bigint | number | undefined, bigint | number>
    is_blocked: Generated<boolean>
    is_demo: Generated<boolean>
    version: Generated<number>
    created_ms: Int8
    mail: Generated<string>
    invited_by: ColumnType<string | null, string | undefined, string | null>
    reinvited_by: ColumnType<string | null, string | undefined, string | null>
    reinvited_ms: OptionalInt8
    enrolled_ms: OptionalInt8
    approver_ms: OptionalInt8
    approver_by: ColumnType<string[], string[] | undefined, string[]>
  }
  /** Only the database writes this table. */
  approver_count: { id: ColumnType<number, never, never>; peak: ColumnType<number, never, never> }
  staff_session: {
    token_hash: Bytes
    id: string
    staff_id: string
    created_ms: Int8
    seen_ms: Int8
    expires_ms: Int8
    user_agent: Generated<string>
    address: Generated<string>
  }
  staff_ticket: {
    token_hash: Bytes
    staff_id: string
    kind: string
    totp_secret: string | null
    expires_ms: Int8
  }
  staff_device: { staff_id: string; token_hash: Bytes; seen_ms: Int8 }
  report_day: {
    day: number
    dimension: string
    value: string
    kind: string
    is_bot: boolean
    count: Int8
    amount: Int8
  }
  report_slot: { slot: number; kind: string; is_bot: boolean; count: Int8; amount: Int8 }
  report_user_days: { kind: string; block: number; user_id: string; is_bot: boolean; days: Int8 }
  report_user_day: { kind: string; day: number; user_id: string; is_bot: boolean; first_ms: Int8; last_ms: Int8 }
  report_period: {
    id: string
    zone: string
    from_day: number
    to_day: number
    start_ms: Int8
    end_ms: Int8
    figures: string
    sha256: Bytes
    closed_by: string
    closed_ms: Int8
  }
  report_check: { subject: string; difference: Int8; checked_ms: Int8 }
  day_total: { day: number; kind: string; is_bot: boolean; count: Int8; amount: Int8; result: Int8 }
  alert_rule: {
    rule: string
    is_on: boolean
    severity: string
    roles: string[]
    threshold: Int8
    version: number
  }
  alert: {
    id: string
    rule: string
    key: string
    severity: string
    facts: Json
    opened_ms: Int8
    closed_ms: OptionalInt8
    /** The staff member who closed the alert. Null while it is open, and when it closed by itself. */
    closed_by: ColumnType<string | null, string | undefined, string | null>
    taken_ms: OptionalInt8
    taken_by: ColumnType<string | null, string | undefined, string | null>
    words: Generated<string>
    sent: Generated<number>
    next_ms: OptionalInt8
  }
  alert_channel: { id: string; staff_id: string; sealed: string; host: string; hint: string; created_ms: Int8 }
  alert_mail: { staff_id: string; is_on: boolean }
  alert_delivery: {
    id: string
    alert_id: string
    staff_id: string
    channel_id: ColumnType<string | null, string | undefined, string | null>
    created_ms: Int8
    tries: Generated<number>
    next_ms: OptionalInt8
    done_ms: OptionalInt8
    failure: Generated<string>
  }
}
