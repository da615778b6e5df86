import type { TakeStrangerCall } from '#server/platform/http/stranger-gate.ts'
import type { HashCost, Passwords } from '#server/platform/credentials/passwords.ts'
import type { Config } from '#server/app/config/config.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Log, MachineClock } from '#server/platform/runtime/ports.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { RateLimit } from '#server/platform/http/rate-limit.ts'
import type { ConnectionLimits } from '#server/platform/http/server-limits.ts'
import type { WebFolders } from '#server/platform/http/web-app.ts'
import type { Lifecycle } from '#server/app/lifecycle.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

/** What a test or a simulation brings instead of the real thing. */
export interface AppOverrides {
  readonly clock?: MachineClock
  /** A context to run on, with its database; then no other is opened, migrated or closed. */
  readonly ctx?: Ctx
  readonly connections?: number
  readonly feed?: Feed
  readonly signUpsPerHour?: number
  readonly takeStrangerCall?: TakeStrangerCall
  /** What a hash of a password costs; tests make thousands. */
  readonly hashCost?: HashCost
  /** Stands between the server and its slow hashes: tests count them. */
  readonly aroundPasswords?: (passwords: Passwords) => Passwords
  readonly perAddress?: RateLimit
  readonly perAccount?: RateLimit
  readonly connectionLimits?: ConnectionLimits
  readonly checksReplies?: boolean
  readonly flushMs?: number
  /** What receipts are signed with, instead of the key in the data folder. */
  readonly signingKey?: SigningKeyPair
  /** The folders of the built web apps; those in `dist` unless told. */
  readonly webFolders?: WebFolders
  /** What remembers the parts that were opened, for a test that has one of them fail. */
  readonly lifecycle?: Lifecycle
  /** Ends the process, as nothing but a new one helps; 1 is what a service manager is told. */
  readonly onDead?: () => void
}

/** What each part of the server is opened with. */
export interface Opening {
  readonly config: Config
  readonly log: Log
  readonly overrides: AppOverrides
  readonly lifecycle: Lifecycle
}
