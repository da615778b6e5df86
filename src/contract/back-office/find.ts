import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'

/** The kinds of records that the search finds, in the order of the reply. */
export const FOUND_KINDS = ['user', 'order', 'deposit', 'withdrawal', 'ticket', 'symbol'] as const
export type FoundKind = (typeof FOUND_KINDS)[number]

/** Maximum length of a search text, in characters. */
export const MAX_FIND_LENGTH = 200

const Found = z.object({
  /** The id of a user, the reference of an order or payment, the number of a ticket, or the code of a symbol. */
  id: z.string(),
  title: z.string(),
  /** A second line. It distinguishes results with the same title. */
  line: z.string(),
})
export type Found = z.output<typeof Found>

export const staffFind = defineStaffCall({
  method: 'GET',
  path: '/admin/find',
  may: 'staff',
  summary:
    'Finds users, orders, payments, tickets and symbols by a part of a name or reference. Only kinds that the role may see.',
  query: z.object({ q: z.string().trim().min(1).max(MAX_FIND_LENGTH) }),
  reply: z.object({ groups: z.array(z.object({ kind: z.enum(FOUND_KINDS), items: z.array(Found) })) }),
  refusals: [],
})
