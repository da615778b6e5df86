import { sql } from 'kysely'
import { isoOf, rowFile } from '#server/site/own-data/row-files.ts'

/** Every message of the user's tickets, without the names of staff members. Pictures are in the list of uploads. */
export const tickets = rowFile({
  name: 'ticket-messages.csv',
  columns: {
    number: sql`k.no`,
    about: sql`trim(k.about_kind || ' ' || k.about)`,
    topic: sql`k.topic`,
    opened_at: isoOf('k.opened_ms'),
    state: sql`k.state`,
    message: sql`t.seq`,
    written_at: isoOf('t.at_ms'),
    by: sql`case when t.staff_id is null then 'user' else 'staff' end`,
    words: sql`t.words`,
    pictures: sql`array_to_string(t.pictures, ' ')`,
    verdict: sql`t.verdict`,
  },
  from: sql`ticket_message t join ticket k on k.user_id = t.user_id and k.id = t.ticket_id`,
})
