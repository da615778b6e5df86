import { type Kysely, type Migration, sql } from 'kysely'

/**
 * The demo's USDT method requires a TRON address with its checksum. Saved addresses that are invalid must be entered again. A form that the
 * operator has changed is kept.
 */
export const destinationFields: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`update gateway set form = jsonb_set(
      form::jsonb, '{0}', form::jsonb -> 0 || '{"type": "destination", "network": "tron"}'::jsonb
    ) where id = 102 and kind = 'withdraw' and name = 'USDT, TRC-20'
      and form::jsonb -> 0 @> '{"name": "wallet_address", "label": "Wallet address (TRC-20)", "type": "text"}'::jsonb`.execute(
      db,
    )
  },
}
