import type { ColumnType, Generated } from 'kysely'
import type { Int8 } from '#server/platform/database/tables/column-types.ts'

/** The tables that the room `site` owns, and that no other room writes (exceptions: `table-owners.test.ts`). */
export interface SiteTables {
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
