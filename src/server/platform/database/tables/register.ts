import type { Generated } from 'kysely'
import type { Bytes, Int8, LogNumber, OptionalInt8 } from '#server/platform/database/tables/column-types.ts'

/** The tables of the folder `src/server/register`. No code outside this folder writes them. */
export interface RegisterTables {
  log_identity: { log: number; origin: string; mode: string; keys: string; made_ms: Int8 }
  register_entry: { log: LogNumber; index: Int8; kind: string; text: string; leaf: Bytes; at_ms: Int8 }
  register_tile: { log: LogNumber; level: number; index: Int8; hashes: Bytes; root: Bytes }
  register_checkpoint: { log: LogNumber; size: Int8; root: Bytes; at_ms: Int8; note: string }
  register_cosignature: { log: LogNumber; size: Int8; name: string; key_id: string; line: string; seconds: Int8 }
  register_pending: { id: string; kind: string; text: string; at_ms: Int8 }
  register_witness: {
    name: string
    verifier_key: string
    url: string
    every_seconds: number
    run_by: string
    is_ours: boolean
    added_ms: Int8
    asked_ms: OptionalInt8
    size: OptionalInt8
    problem: Generated<string>
  }
  register_halt: { id: string; at_ms: Int8; cause: string; known_size: OptionalInt8; ended_ms: OptionalInt8 }
}
