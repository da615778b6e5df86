import type { Generated } from 'kysely'
import type { Int8, Int8OrNull } from '#server/platform/database/tables/column-types.ts'

/** A code that allows sign-ups. */
export interface AccessCodeTable {
  id: string
  code: string
  label: string
  max_uses: number | null
  used: Generated<number>
  from_ms: Int8
  until_ms: Int8OrNull
  countries: string[]
  is_on: boolean
  created_by: string
  created_ms: Int8
  version: number
}
