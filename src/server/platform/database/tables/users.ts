import type { ColumnType, Generated } from 'kysely'
import type { AccessCodeTable } from '#server/platform/database/tables/access-code.ts'
import type { NoticeDeliveryTable } from '#server/platform/database/tables/notice-delivery.ts'
import type { TicketMessageTable, TicketTable } from '#server/platform/database/tables/ticket.ts'
import type { KeyEnd, KeyScope } from '#core/accounts/api-keys.ts'
import type { ChosenTopic, NoticeKind, PushTopic } from '#core/accounts/notices.ts'
import type { BreakKind, OwnRuleKey } from '#core/accounts/self-limits.ts'
import type {
  Int8,
  Int8OrNull,
  OptionalInt4,
  OptionalInt8,
  Bytes,
} from '#server/platform/database/tables/column-types.ts'

/** Tables that only code in `src/server/users` writes (exceptions: `table-owners.test.ts`). */
export interface UsersTables {
  user_country_since: { user_id: string; since_ms: Int8; country: string }
  app_user: AppUserTable
  session: {
    token_hash: Bytes
    user_id: string
    created_ms: Int8
    expires_ms: Int8
    user_agent: Generated<string>
    ip: Generated<string>
    seen_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
    confirmed_ms: ColumnType<bigint, bigint | number | undefined, bigint | number>
  }
  access_code: AccessCodeTable
  ticket: TicketTable
  ticket_message: TicketMessageTable
  access_code_use: { user_id: string; code_id: string; used_ms: Int8 }
  user_authenticator: {
    user_id: string
    secret: string
    last_step: ColumnType<bigint, bigint | number | undefined, bigint | number>
    is_on: Generated<boolean>
    created_ms: Int8
  }
  user_passkey: {
    user_id: string
    id: string
    credential_id: string
    public_key: Bytes
    counter: Int8
    transports: string[]
    name: string
    created_ms: Int8
    used_ms: OptionalInt8
  }
  user_recovery_code: { user_id: string; code_hash: Bytes }
  user_ticket: { token_hash: Bytes; user_id: string | null; kind: string; challenge: string | null; expires_ms: Int8 }
  known_device: { user_id: string; token_hash: Bytes; created_ms: Int8; seen_ms: Int8 }
  sign_in: {
    id: string
    user_id: string | null
    at_ms: Int8
    how: string
    went_in: boolean
    is_new_device: Generated<boolean>
    is_noticed: Generated<boolean>
    user_agent: string
    address: string
    country: string | null
  }
  one_time_code: {
    user_id: string
    kind: string
    code_hash: string
    sent_to: string
    created_ms: Int8
    expires_ms: Int8
  }
  code_sent: { user_id: string; id: string; kind: string; sent_to: string; sent_ms: Int8 }
  password_reset: {
    id: string
    request_hash: Bytes
    link_hash: Bytes
    address: string
    code_hash: string
    created_ms: Int8
    code_expires_ms: Int8
    expires_ms: Int8
  }
  account_recovery: {
    user_id: string
    id: string
    lost: string[]
    new_address: string | null
    words: string
    deposits: string[]
    content_hash: string
    asked_by: string
    asked_ms: Int8
    asked_from: string
    state: Generated<string>
    confirmed_by: ColumnType<string | null, never, string>
    confirmed_ms: ColumnType<bigint | null, never, bigint | number>
    mark: ColumnType<string, never, string>
    opens_ms: ColumnType<bigint | null, never, bigint | number>
    contacts: ColumnType<unknown, never, never>
    link_hash: ColumnType<Buffer | Uint8Array | null, never, Uint8Array>
    link_until_ms: ColumnType<bigint | null, never, bigint | number>
    ended_by: ColumnType<string, never, string>
    ended_ms: ColumnType<bigint | null, never, bigint | number>
  }
  user_measure: {
    id: string
    user_id: string
    kind: string
    value: Int8OrNull
    reason: string
    since_ms: Int8
    until_ms: Int8OrNull
    asked_by: string | null
    second_by: ColumnType<string | null, never, string>
    ended_ms: ColumnType<bigint | null, never, bigint | number>
    /**
     * Whether the results of the user's last 90 days summed to more than zero. The database computes it when the
     * measure begins.
     */
    was_ahead: ColumnType<boolean, never, never>
  }
  /** Own limits in force. The database writes them from `self_limit_change`. */
  self_limit: {
    user_id: string
    key: OwnRuleKey
    amount: ColumnType<bigint, never, never>
    since_ms: ColumnType<bigint, never, never>
  }
  self_limit_change: {
    user_id: string
    id: string
    key: OwnRuleKey
    to_amount: Int8OrNull
    from_amount: ColumnType<bigint | null, never, never>
    direction: ColumnType<'tighter' | 'looser', never, never>
    asked_ms: ColumnType<bigint, never, never>
    ready_ms: ColumnType<bigint, never, never>
    lapses_ms: ColumnType<bigint, never, never>
  }
  self_limit_change_end: {
    user_id: string
    id: string
    outcome: 'confirmed' | 'dropped' | 'lapsed'
    at_ms: ColumnType<bigint, never, never>
  }
  /** The newest session of a user with reality checks. A database function writes it. */
  reality_session: { user_id: string; from_ms: bigint | null; seen_ms: bigint | null }
  limit_prompt: { user_id: string; answer: 'set' | 'none'; at_ms: Int8 }
  self_break: {
    user_id: string
    id: string
    kind: BreakKind
    /** Days of a time-out, months of an exclusion. */
    length: number
    from_ms: ColumnType<bigint, never, never>
    until_ms: ColumnType<bigint, never, never>
    /** The staff member who entered the exclusion at the user's request. Null for breaks that the user began. */
    staff_id: Generated<string | null>
    words: Generated<string | null>
    /** The exclusion of another account of the same person. This exclusion lasts as long as the other exclusion. */
    like_user_id: Generated<string | null>
    like_break_id: Generated<string | null>
  }
  /** Keyed hashes by which a person is recognised whose exclusion is in force. */
  excluded_person: { kind: 'email' | 'mobile' | 'details'; hash: Bytes; user_id: string; break_id: string }
  /** Keyed hashes of the contacts that a user has proven and of the payment details that the user has saved. */
  user_trait: { user_id: string; kind: 'email' | 'mobile' | 'details'; hash: Bytes; key_name: string }
  self_return: {
    user_id: string
    break_id: string
    asked_ms: ColumnType<bigint, never, never>
    confirmed_ms: ColumnType<bigint | null, never, bigint | number>
  }
  /** Versions of the terms of use. The trade terms are in `terms_entry`. */
  terms_version: {
    id: number
    texts: ColumnType<unknown, string, never>
    announced_ms: ColumnType<bigint, never, never>
    from_ms: Int8
    needs_consent: boolean
    staff_id: string | null
  }
  /** The settings of the chart (product '') and the drawings of each symbol. */
  user_desk: {
    user_id: string
    product: string
    version: Generated<number>
    content: ColumnType<unknown, string, string>
  }
  consent: {
    user_id: string
    version: number
    sha256: string
    language: string
    at_ms: ColumnType<bigint, never, never>
    how: 'sign_up' | 'terms'
  }
  /** Up to which user the notices about the terms of sale of entry `n` are written. Only the database writes it. */
  sale_terms_told: {
    n: ColumnType<bigint, never, never>
    until_user: ColumnType<string, never, never>
    is_done: ColumnType<boolean, never, never>
  }
  terms_told: { version: ColumnType<number, never, never>; until_user: ColumnType<string, never, never> }
  account_closing: {
    user_id: string
    id: string
    asked_ms: ColumnType<bigint, never, never>
    erase_ms: ColumnType<bigint, never, never>
    reason: Generated<string>
    state: ColumnType<'closing' | 'cancelled' | 'erased', never, 'cancelled'>
    ended_ms: ColumnType<bigint | null, never, never>
  }
  /** Only a database function writes it. */
  erased_account: { user_id: ColumnType<string, never, never>; erased_ms: ColumnType<bigint, never, never> }
  /** The encrypted record that the law makes an operator keep of an erased account. */
  kept_record: {
    user_id: ColumnType<string, never, never>
    sealed: ColumnType<string, never, string>
    until_ms: ColumnType<bigint, never, never>
  }
  /** Only the database writes notices, with the events that they are about. */
  notice: {
    user_id: ColumnType<string, never, never>
    id: ColumnType<string, never, never>
    seq: ColumnType<bigint, never, never>
    kind: ColumnType<NoticeKind, never, never>
    subject: ColumnType<string, never, never>
    data: ColumnType<unknown, never, never>
    at_ms: ColumnType<bigint, never, never>
    /** When the database wrote it, by its own clock. */
    stored_ms: ColumnType<bigint, never, never>
    read_ms: ColumnType<bigint | null, never, number>
  }
  notice_delivery: NoticeDeliveryTable
  notice_mail: { user_id: string; topic: ChosenTopic; is_on: boolean; in_inbox: Generated<boolean> }
  notice_push: { user_id: string; topic: PushTopic; is_on: boolean }
  /** The keys that identify this installation to push services, oldest first. */
  push_key: { id: number; public_key: string; sealed: string; created_ms: Int8 }
  /** Devices that show notices. Address and keys of each are encrypted. */
  push_subscription: {
    user_id: string
    id: string
    session_hash: Bytes
    key_id: number
    sealed: string
    /** A fingerprint of the push address, which finds the row without decrypting the address. */
    endpoint_mark: Bytes
    amounts: Generated<boolean>
    zone: string
    /** The quiet hours, in minutes of the day. Messages wait until their end. */
    quiet_from: number | null
    quiet_to: number | null
    created_ms: Int8
    seen_ms: Int8
    delivered_ms: Int8OrNull
  }
  /** API keys, with which users' programs call the site. */
  api_key: {
    user_id: string
    id: string
    secret_hash: Bytes
    name: string
    scope: KeyScope
    /** Addresses and ranges that may use the key. Empty: all. */
    addresses: string[]
    max_stake: OptionalInt8
    max_stake_day: OptionalInt8
    max_open_orders: OptionalInt4
    created_ms: Int8
    expires_ms: Int8
    end_reason: Generated<KeyEnd | null>
    ended_ms: ColumnType<bigint | null, never, never>
    used_ms: ColumnType<bigint | null, never, number>
    used_address: ColumnType<string | null, never, string>
    used_client: ColumnType<string | null, never, string>
    networks: ColumnType<string[], never, string[]>
    foreign_ms: ColumnType<bigint[], never, bigint[]>
  }
  /** Orders that a key requested. `holds` counts requests that no refusal has ended. */
  key_order: {
    user_id: string
    client_order_id: string
    key_id: string
    stake: Int8
    at_ms: Int8
    holds: Generated<number>
  }
  user_note: { user_id: string; id: string; staff_id: string; text: string; written_ms: Int8 }
}

export interface AppUserTable {
  /** The newest version of the terms of use that the user agreed to. The database writes it from `consent`. */
  terms_version: ColumnType<number, never, never>
  age_declared_ms: OptionalInt8
  /** The age that the sign-up asked for. */
  age_minimum: Generated<number | null>
  id: string
  username: string
  email: string | null
  mobile: string
  mobile_code: Generated<string>
  country_code: Generated<string>
  firstname: Generated<string>
  lastname: Generated<string>
  address: ColumnType<unknown, string | undefined, string>
  password_hash: string
  pin_hash: string | null
  pin_changed_ms: Int8OrNull
  security_changed_ms: OptionalInt8
  /** When the last recovery of the account ended. The database writes it. */
  recovered_ms: ColumnType<bigint | null, never, never>
  image_path: string | null
  language: Generated<string>
  invitation_code: string | null
  verified: Generated<boolean>
  /** Addresses that this account verified: the email in lower case, the phone as digits with country code. */
  proven_email: Generated<string | null>
  proven_mobile: Generated<string | null>
  /** This and the other permissions below follow from `user_measure`. Only the database writes them. */
  trade_allowed: ColumnType<boolean, never, never>
  trade_reason: ColumnType<string, never, never>
  is_bot: Generated<boolean>
  /** The owner of a practice account. Null for the account of a user. */
  practice_of: ColumnType<string | null, string | null | undefined, never>
  version: Generated<number>
  verification_reason: Generated<string>
  sign_in_blocked: ColumnType<boolean, never, never>
  sign_in_reason: ColumnType<string, never, never>
  withdrawals_allowed: ColumnType<boolean, never, never>
  withdrawals_reason: ColumnType<string, never, never>
  max_stake: ColumnType<bigint | null, never, never>
  max_stake_reason: ColumnType<string, never, never>
  max_open_stake: ColumnType<bigint | null, never, never>
  max_open_stake_reason: ColumnType<string, never, never>
  created_ms: Int8
}
