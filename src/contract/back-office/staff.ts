import { z } from 'zod'
import { ASK_REFUSALS, Pending } from '#contract/back-office/changes.ts'
import { defineStaffCall, defineStaffList } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { ROLES } from '#core/staff/permissions.ts'

const StaffRow = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  /** `invited`: the staff member has not chosen a password yet. */
  state: z.enum(['active', 'invited', 'blocked']),
  has_second_step: z.boolean(),
  mail: z.string(),
  /** When the staff member became an approver. Null for a staff member who is not an approver. */
  approver_since: IsoTime.nullable(),
  /** How many people admitted this approver. */
  admitted_by: z.number().int(),
  sessions: z.number(),
  last_seen_at: IsoTime.nullable(),
  created_at: IsoTime,
  version: z.number(),
})
export type StaffRow = z.output<typeof StaffRow>

const Id = z.object({ id: z.uuid() })
const Version = z.number().int()
const Reason = z.string().trim().max(500)
const Waits = z.object({ pending: Pending })
const Mail = z.email().max(200)

export const staffMembers = defineStaffList({
  path: '/admin/staff',
  may: 'staff.manage',
  summary: 'All staff members, by name.',
  filters: {},
  row: StaffRow,
})

export const staffInviteMember = defineStaffCall({
  method: 'POST',
  path: '/admin/staff/invite',
  may: 'staff.manage',
  summary:
    "Requests the invitation of a new staff member. When it is in force, the link is sent to the person's own address.",
  body: z.object({
    name: z
      .string()
      .trim()
      .regex(/^[\w.@+-]{2,60}$/),
    role: z.enum(ROLES),
    mail: Mail,
  }),
  reply: Waits,
  refusals: ['staff_name_taken', ...ASK_REFUSALS],
})

export const staffReinviteMember = defineStaffCall({
  method: 'POST',
  path: '/admin/staff/:id/reinvite',
  may: 'staff.manage',
  summary:
    'Requests a new invitation of a staff member who lost password or phone. When it is in force, both are deleted.',
  params: Id,
  body: z.object({ version: Version, reason: Reason, mail: Mail.or(z.literal('')) }),
  reply: Waits,
  refusals: ['not_found', 'changed_meanwhile', 'reason_needed', 'not_yourself', 'mail_needed', ...ASK_REFUSALS],
})

export const staffChangeMember = defineStaffCall({
  method: 'POST',
  path: '/admin/staff/:id/change',
  may: 'staff.manage',
  summary:
    'Changes the role of a staff member, or blocks them. A role that decides about money, markets or staff waits for a second person.',
  params: Id,
  body: z.object({ version: Version, role: z.enum(ROLES), is_blocked: z.boolean(), reason: Reason }),
  reply: z.object({ version: Version, pending: Pending }),
  refusals: ['not_found', 'changed_meanwhile', 'reason_needed', 'not_yourself', ...ASK_REFUSALS],
})

const SessionRow = z.object({
  id: z.string(),
  staff_id: z.string(),
  name: z.string(),
  created_at: IsoTime,
  seen_at: IsoTime,
  user_agent: z.string(),
  address: z.string(),
  is_this: z.boolean(),
})

const LogInRow = z.object({
  at: IsoTime,
  is_done: z.boolean().meta({ description: 'False after a wrong password or code.' }),
  /** The browser and operating system of the session. Empty when both are unknown. */
  device: z.string(),
  address: z.string(),
})

export const staffSessions = defineStaffCall({
  method: 'GET',
  path: '/admin/sessions',
  may: 'staff',
  summary:
    "Open sessions, newest first: the caller's own, or all for callers who manage staff. Also the caller's last 30 log-ins.",
  reply: z.object({ sessions: z.array(SessionRow), log_ins: z.array(LogInRow) }),
  refusals: [],
})

export const staffEndSession = defineStaffCall({
  method: 'POST',
  path: '/admin/sessions/:id/end',
  may: 'staff',
  summary: "Ends a session: one of the caller's own, or any for callers who manage staff.",
  params: Id,
  reply: z.null(),
  refusals: ['not_found'],
})
