import type { ColumnType } from 'kysely'

/** Notices that still have to reach a channel. A null `next_ms` stands for a delivery that was given up. */
export interface NoticeDeliveryTable {
  user_id: ColumnType<string, never, never>
  notice_id: ColumnType<string, never, never>
  channel: ColumnType<'page' | 'mail' | 'push', never, never>
  /** The device to which a push message is sent. Null for other channels. */
  device_id: ColumnType<string | null, never, never>
  tries: ColumnType<number, never, number>
  next_ms: ColumnType<bigint | null, never, number | null>
  /** Whether the message was held back until the end of the quiet hours. */
  is_held: ColumnType<boolean, never, boolean>
  /** The contacts that a mail has reached: 0 is the main contact, 1 the first of the further contacts. */
  contact_nos: ColumnType<number[], never, number[]>
}
