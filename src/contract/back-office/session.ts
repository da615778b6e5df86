import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { IsoTime } from '#contract/wire.ts'
import { ROLES } from '#core/staff/permissions.ts'

const Ticket = z.string().min(1).max(100)
/** The code that an authenticator app shows: six digits. */
const Code = z
  .string()
  .max(40)
  .transform(asciiDigits)
  .pipe(z.string().regex(/^\d{6}$/))

/** The logged-in staff member and their permissions. */
export const StaffOut = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  permissions: z.array(z.string()),
  is_demo: z.boolean().meta({ description: 'The installation runs with virtual funds.' }),
  is_single_operator: z.boolean().meta({
    description: 'Fewer than two approvers exist, so one person decides twice: the second time after a wait.',
  }),
  site_name: z.string(),
  new_device: z
    .object({ at: IsoTime, device: z.string(), address: z.string() })
    .nullable()
    .meta({ description: 'The newest log-in with a new device within 72 h, except that of this session.' }),
})
export type StaffOut = z.output<typeof StaffOut>

export const staffSignIn = defineStaffCall({
  method: 'POST',
  path: '/admin/sign-in',
  may: 'anyone',
  summary: 'The first step of a log-in: name and password. Returns a ticket of five minutes for the second step.',
  body: z.object({ name: z.string().min(1).max(60), password: z.string().min(1).max(200) }),
  reply: z.object({
    ticket: z.string(),
    /** The second-step code of a demo account, which has no authenticator app. Null for all other accounts. */
    demo_code: z.string().nullable(),
  }),
  refusals: ['credentials_wrong', 'too_many_attempts', 'demo_staff_local_only', 'enrolment_needed'],
})

export const staffSignInCode = defineStaffCall({
  method: 'POST',
  path: '/admin/sign-in/code',
  may: 'anyone',
  summary:
    'The second step of a log-in: the six digits of the authenticator app. Opens a session in a cookie that scripts cannot read.',
  body: z.object({
    ticket: Ticket,
    code: Code,
  }),
  reply: StaffOut,
  refusals: ['staff_code_wrong', 'staff_ticket_over', 'too_many_attempts'],
})

export const staffOpenInvitation = defineStaffCall({
  method: 'POST',
  path: '/admin/join/open',
  may: 'anyone',
  changesNothing: true,
  summary: 'The secret that an invited person adds to the authenticator app.',
  body: z.object({ token: Ticket }),
  reply: z.object({ name: z.string(), secret: z.string(), uri: z.string() }),
  refusals: ['staff_ticket_over'],
})

export const staffJoin = defineStaffCall({
  method: 'POST',
  path: '/admin/join',
  may: 'anyone',
  summary: 'Accepts an invitation, once: sets the password and confirms the authenticator app in one step.',
  body: z.object({ token: Ticket, password: z.string().min(12).max(200), code: Code }),
  reply: z.object({ name: z.string() }),
  refusals: ['staff_ticket_over', 'staff_code_wrong', 'too_many_attempts'],
})

export const staffSignOut = defineStaffCall({
  method: 'POST',
  path: '/admin/sign-out',
  may: 'staff',
  summary: "Ends the caller's session.",
  reply: z.null(),
  refusals: [],
})

export const staffMe = defineStaffCall({
  method: 'GET',
  path: '/admin/me',
  may: 'anyone',
  summary: 'The logged-in staff member; null without a session.',
  reply: StaffOut.nullable(),
  refusals: [],
})
