import { z } from 'zod'
import { MAX_UPLOAD_BYTES } from '#core/uploads/file-type.ts'
import { defineCall } from '#contract/call.ts'
import { FileIn } from '#contract/files.ts'
import { IsoTime, MoneyOut, OptionalText, Text } from '#contract/wire.ts'

/** The break that the user chose. Null while the user takes no break. */
export const BreakOut = z
  .object({
    kind: z.enum(['time_out', 'exclusion']),
    from: IsoTime,
    until: IsoTime,
    state: z
      .enum(['on', 'over', 'returning'])
      .meta({ description: '`over`: the exclusion waits until its user asks to return.' }),
    ready_at: IsoTime.nullable().meta({ description: 'When the return can be confirmed.' }),
    words: z.string().nullable().meta({ description: 'Of the staff member who entered it at the user’s request.' }),
  })
  .nullable()
export type BreakOut = z.output<typeof BreakOut>

/** A user's own account. */
export const UserOut = z.object({
  id: z.string(),
  uid: z.string().meta({ description: 'Short form of the id, 10 letters and digits, easy to read out.' }),
  username: z.string(),
  email: z.string().nullable(),
  balance: MoneyOut,
  staked: MoneyOut.meta({ description: 'Stakes of open orders.' }),
  withdrawing: MoneyOut.meta({ description: 'Held for withdrawals that are pending.' }),
  open_orders: z.number().int(),
  unread_notices: z.number().int(),
  has_deposits: z.boolean().meta({ description: 'The user has a deposit in any state.' }),
  points: z.number(),
  image_path: z.string().nullable().meta({ description: 'Address of the user’s picture.' }),
  customer_link: z.string().nullable(),
  withdrawal_code_enabled: z.boolean(),
  profile_complete: z.boolean(),
  ev: z.boolean().meta({ description: 'Verified by code.' }),
  ev_reason: z.string().meta({ description: 'Why staff removed the verification; empty unless they did.' }),
  code_sent: z.boolean().meta({ description: 'A verification code that is still valid was sent.' }),
  currency_symbol: z.string(),
  currency_name: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  mobile: z.string(),
  mobile_code: z.string(),
  mobile_proven: z
    .boolean()
    .meta({ description: 'The number was verified by a code, so it can be used to reset the password.' }),
  country_code: z.string(),
  address: z.object({
    address: z.string(),
    city: z.string(),
    zip: z.string(),
    state: z.string(),
    country: z.string(),
  }),
  trade_status: z.union([z.literal(0), z.literal(1)]),
  trade_reason: z.string(),
  stake_limits: z
    .array(
      z.object({ kind: z.enum(['stake_limit', 'open_limit']), value: MoneyOut, reason: z.string(), since: IsoTime }),
    )
    .meta({ description: 'Limits that staff set for new orders of this user, of one stake and of all open ones.' }),
  break: BreakOut,
  closing: z
    .object({ erases_at: IsoTime })
    .nullable()
    .meta({ description: 'The caller closes the account. It takes no orders and no deposits.' }),
  leaving: z
    .object({
      reason: z.string().meta({ description: 'Why staff blocked the user, in their words.' }),
      closed_at: IsoTime.nullable().meta({ description: 'When the account was closed, after all was paid.' }),
    })
    .nullable()
    .meta({ description: 'The session only serves for taking the money and leaving. Null for all other users.' }),
  recovery: z
    .object({ opens_at: IsoTime.meta({ description: 'Until then at least, the user can stop it.' }) })
    .nullable()
    .meta({ description: 'A recovery of the account that two staff members agreed on. Null without one.' }),
  terms_needed: z
    .boolean()
    .meta({ description: 'Orders and deposits wait for the consent to a new version of the terms of use.' }),
})
export type UserOut = z.output<typeof UserOut>

export const profile = defineCall({
  method: 'GET',
  path: '/user/profile',
  who: 'user',
  key: 'never',
  leaving: true,
  summary:
    "The caller's account with its balance. Messages to the caller are then written in the language of this request.",
  reply: z.object({ user: UserOut }),
  refusals: [],
})

export const saveProfile = defineCall({
  method: 'POST',
  path: '/user/profile',
  who: 'verified',
  key: 'never',
  summary: "Changes the caller's account. Of a phone number with a hyphen, the part after the hyphen is used.",
  body: z.object({
    username: Text(200),
    country_code: Text(8),
    mobile: Text(40),
    mobile_code: OptionalText(8),
    firstname: OptionalText(1000),
    lastname: OptionalText(1000),
    address: OptionalText(1000),
    city: OptionalText(1000),
    zip: OptionalText(1000),
    state: OptionalText(1000),
  }),
  reply: z.object({ user: UserOut }),
  refusals: [
    'confirmation_needed',
    'username_invalid',
    'username_taken',
    'mobile_invalid',
    'country_unknown',
    'text_too_long',
    'too_many_attempts',
  ],
})

export const saveProfileImage = defineCall({
  method: 'POST',
  path: '/user/profile/image',
  who: 'verified',
  key: 'never',
  summary: "Sets the caller's picture: JPEG, PNG or WebP. It is re-encoded, and the old one is deleted.",
  body: z.object({ profile_image: FileIn }),
  multipart: true,
  maxFileBytes: MAX_UPLOAD_BYTES,
  reply: z.object({ user: UserOut }),
  refusals: ['file_too_large', 'file_type', 'file_unreadable', 'picture_too_large', 'too_many_attempts'],
})

export const removeProfileImage = defineCall({
  method: 'POST',
  path: '/user/profile/image/remove',
  who: 'verified',
  key: 'never',
  summary: "Removes the caller's picture.",
  reply: z.object({ user: UserOut }),
  refusals: [],
})

export const changePassword = defineCall({
  method: 'POST',
  path: '/user/profile/password',
  who: 'verified',
  key: 'never',
  leaving: true,
  summary: "Changes the caller's password. All other sessions end, and this one continues.",
  body: z.object({ current_password: Text(200), password: Text(200), password_confirmation: Text(200) }),
  reply: z.object({}),
  refusals: [
    'confirmation_needed',
    'current_password_wrong',
    'password_length',
    'password_common',
    'password_mismatch',
    'too_many_attempts',
  ],
})
