import type { ColumnType, Generated } from 'kysely'
import type { Int8, OptionalInt8, Bytes } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/platform`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface PlatformTables {
  attempt: {
    key: string
    count: number
    window_start_ms: Int8
    locked_until_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
  }
  bus_key: { id: number; secret: Bytes }
  day_total_mark: { source: string; counted_until_ms: Int8; closed_until_ms: Int8 }
  lease: { name: string; owner: string; token: Int8; until_ms: Int8 }
  outbox_message: { id: string; sent_to: string; kind: string; code: string; text: string; sent_ms: Int8 }
  server_node: { run: string; name: string; roles: string[]; is_on_bus: boolean; seen_ms: Int8 }
  server_run: {
    run: string
    name: string
    started_ms: Int8
    ready_ms: OptionalInt8
    seen_ms: Int8
    stopped_ms: OptionalInt8
  }
  upload: {
    user_id: string
    name: string
    purpose: string
    media_type: string
    size: number
    in_use: Generated<boolean>
    changed_ms: Int8
  }
}
