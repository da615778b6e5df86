import type { ColumnType } from 'kysely'

/** Both drivers return int8 as bigint, and accept numbers. */
export type Int8 = ColumnType<bigint, bigint | number, bigint | number>
export type Int8OrNull = ColumnType<bigint | null, bigint | number | null, bigint | number | null>
/** The database's default when no value is given. */
export type Int8WithDefault = ColumnType<bigint, bigint | number | undefined, bigint | number>
/** Null when no value is given. */
export type OptionalInt8 = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>
export type OptionalInt4 = ColumnType<number | null, number | null | undefined, number | null>
/** jsonb goes in as JSON text and comes back parsed. */
export type Json = ColumnType<unknown, string, string>
export type JsonOrNull = ColumnType<unknown, string | null, string | null>
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>
/** The number of a register. Rows belong to the current register unless another number is given. */
export type LogNumber = ColumnType<number, number | undefined, never>
