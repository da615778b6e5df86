import type { ColumnType, Generated } from 'kysely'
import type { Int8 } from '#server/platform/database/tables/column-types.ts'

/**
 * The tables of the folder `src/server/site`. No code outside this folder writes them (exceptions:
 * `table-owners.test.ts`).
 */
export interface SiteTables {
  data_export: {
    user_id: string
    id: string
    language: string
    asked_ms: ColumnType<bigint, never, never>
    ready_ms: ColumnType<bigint | null, never, never>
    failed_ms: ColumnType<bigint | null, never, never>
    expires_ms: ColumnType<bigint | null, never, never>
    claim: Generated<number>
    claim_until_ms: ColumnType<bigint, never, never>
    tries: Generated<number>
    file: Generated<number>
    place: Generated<string | null>
    portions: Generated<number>
    bytes: ColumnType<bigint, never, never>
  }
  data_export_portion: {
    user_id: string
    export_id: string
    n: number
    name: string
    content: string
    is_text: boolean
  }
  content_entry: {
    kind: string
    key: string
    icon: Generated<string>
    link: Generated<string>
    sort: Generated<number>
    is_published: Generated<boolean>
    published_ms: Int8
    texts: ColumnType<unknown, string | undefined, string>
    version: Generated<number>
    updated_ms: Int8
  }
  announcement: {
    id: string
    tone: string
    link: Generated<string>
    from_ms: Int8
    until_ms: Int8
    texts: ColumnType<unknown, string | undefined, string>
    version: Generated<number>
    updated_ms: Int8
  }
  text_override: { language: string; key: string; text: string | null; version: Generated<number>; updated_ms: Int8 }
}
