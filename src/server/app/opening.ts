import type { EvidenceWaits } from '#server/trading/evidence/evidence-collector.ts'
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
import type { RegisterKey } from '#server/register/register-keys.ts'
import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import type { SigningKeyPair } from '#server/proof/receipts/signing-key.ts'

/** Parts that a test or a simulation supplies instead of the real ones. */
export interface AppOverrides {
  readonly clock?: MachineClock
  /** A context with its database. With it, the server opens, migrates and closes no database. */
  readonly ctx?: Ctx
  readonly connections?: number
  readonly feed?: Feed
  readonly signUpsPerHour?: number
  readonly takeStrangerCall?: TakeStrangerCall
  /** The cost of a password hash. Tests lower it, because they create thousands of hashes. */
  readonly hashCost?: HashCost
  /** Wraps the password hashing, so that tests can count hashes. */
  readonly aroundPasswords?: (passwords: Passwords) => Passwords
  readonly perAddress?: RateLimit
  readonly perAccount?: RateLimit
  readonly connectionLimits?: ConnectionLimits
  readonly checksReplies?: boolean
  readonly flushMs?: number
  /** How long the server requests late evidence before it gives up. */
  readonly evidenceWaits?: EvidenceWaits
  /** The key that signs receipts, instead of the key in the data folder. */
  readonly signingKey?: SigningKeyPair
  /** The keys that sign the register, instead of those in the data folder. */
  readonly registerKeys?: readonly RegisterKey[]
  /** The folders of the built web apps. Default: those in `dist`. */
  readonly webFolders?: WebFolders
  /**
   * Sends requests to URLs that staff members typed in. Tests pass an `Outgoing` that resolves host names without DNS.
   */
  readonly outgoing?: Outgoing
  /** The lifecycle that closes the parts. A test passes a lifecycle that makes a part fail. */
  readonly lifecycle?: Lifecycle
  /** Ends the process with exit code 1, so that a service manager starts a new one. */
  readonly onDead?: () => void
}

/** The values with which each part of the server is opened. */
export interface Opening {
  readonly config: Config
  readonly log: Log
  readonly overrides: AppOverrides
  readonly lifecycle: Lifecycle
}
