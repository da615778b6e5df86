import { isIP } from 'node:net'
import { weakenedTls } from '#server/app/config/tls-environment.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { FeedsChoice, FeedsConfig, FeedsPlace } from '#server/market-data/feeds/base/feeds-config.ts'
import type { MessengerConfig } from '#server/platform/messenger/create-messenger.ts'
import type { SmsConfig } from '#server/platform/messenger/sms-messenger.ts'
import type { DatabaseConfig } from '#server/platform/database/open-database.ts'
import { readDataKeys } from '#server/platform/encryption/data-keys.ts'
import { LOG_LEVELS, type LogLevel } from '#server/platform/runtime/log.ts'
import { cannotStart } from '#server/platform/runtime/startup-error.ts'

export const ROLES = ['api', 'feed', 'settle'] as const
export type Role = (typeof ROLES)[number]

/** The configuration of this process. It comes only from the environment, and every value is checked. */
export interface Config extends DatabaseConfig, FeedsChoice, MessengerConfig {
  readonly host: string
  /** The port to listen at. 0 selects any free port. */
  readonly port: number
  /** Whether resident bots trade beside the users. Never true in live mode. */
  readonly bots: boolean
  /** Whether browsers may keep the app for a start without a network. */
  readonly offlineStart: boolean
  readonly roles: ReadonlySet<Role>
  readonly natsUrl: string | undefined
  /** A private Ed25519 key as JWK. Undefined: the key in the data folder is used. Never logged. */
  readonly signingKey: string | undefined
  readonly registerKey: string | undefined
  /** Keys that encrypt personal data, newest first. Undefined: the keys in the data folder are used. Never logged. */
  readonly dataKey: string | undefined
  /**
   * Keys that encrypt the kept records of erased accounts, newest first. Undefined: the keys in the data folder are
   * used. Never logged.
   */
  readonly recordsKey: string | undefined
  /**
   * Addresses or ranges of proxies whose `X-Forwarded-For` is trusted. The header is ignored from all other addresses.
   */
  readonly trustedProxies: readonly string[]
  /** The header in which a trusted proxy names the client's country, in lower case. */
  readonly countryHeader: string | undefined
  /** The `.mmdb` file with the countries of addresses. Undefined: the table of the optional package. */
  readonly ipCountries: string | undefined
  /** Addresses or ranges of private networks that webhooks may reach. */
  readonly privateAddresses: readonly string[]
  /** Hosts of push services that the server may call in addition to the well-known push services. */
  readonly pushHosts: readonly string[]
  /** The URL that the server calls once a minute, so that a monitoring service notices when the server stops. */
  readonly heartbeatUrl: string | undefined
  /**
   * Allowed calls per second in the long run, for one address and for one account. A short burst may have several times
   * as many calls.
   */
  readonly callsPerAddress: number
  readonly callsPerAccount: number
  /** Maximum sign-ups per address and hour. */
  readonly signUpsPerHour: number
  /** Maximum text messages per day. */
  readonly smsPerDay: number
  /** Number of days after which the server deletes ticks that no order needs. */
  readonly tickRetentionDays: number
  /** The address of `/metrics`, for operators. Undefined: metrics are off. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: LogLevel
}

/** Days that ticks are kept by default. A demo runs on a laptop, so it keeps fewer ticks. */
const TICK_RETENTION_DAYS = { demo: 14, live: 90 } as const

/** The accepted values of each variable, with the error text for other values. */
const VARIABLES = z.object({
  FAIRWICK_MODE: z.enum(['demo', 'live'], 'must be demo or live').default('demo'),
  HOST: z.string().optional(),
  PORT: wholeNumber({ from: 0, to: 65_535 }).default(3000),
  PUBLIC_URL: address(['http:', 'https:'], 'https://trade.example.com').optional(),
  FAIRWICK_DATA_DIR: z.string().default('.data'),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/name').optional(),
  DATABASE_MIGRATION_URL: address(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/name').optional(),
  DATABASE_POOL_SIZE: wholeNumber({ from: 1, to: 200 }).default(10),
  FAIRWICK_FEEDS: z.string().default('synthetic'),
  FAIRWICK_SEED: z.string().default('fairwick'),
  FAIRWICK_BOTS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  FAIRWICK_WORKER: z.enum(['on', 'off'], 'must be on or off').default('on'),
  FAIRWICK_REPLAY_SPEED: z.coerce
    .number('must be a number')
    .positive('must be above 0')
    .max(1000, 'must be at most 1000')
    .default(1),
  FAIRWICK_REPLAY_OFFSET_MS: wholeNumber({ from: 0, to: Number.MAX_SAFE_INTEGER }).default(0),
  FAIRWICK_ROLES: z
    .string()
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, `must be some of ${ROLES.join(',')}, with commas between`)))
    .default([...ROLES]),
  FAIRWICK_REGISTER_KEY: z.string().optional(),
  FAIRWICK_SIGNING_KEY: z.string().refine(isJsonObject, 'must be a private Ed25519 key as a JWK').optional(),
  FAIRWICK_DATA_KEY: z
    .string()
    .refine((text) => readDataKeys(text) !== null, 'must be 32 bytes in base64url, or several with commas between')
    .optional(),
  FAIRWICK_RECORDS_KEY: z
    .string()
    .refine((text) => readDataKeys(text) !== null, 'must be 32 bytes in base64url, or several with commas between')
    .optional(),
  NATS_URL: address(['nats:', 'tls:'], 'nats://host:4222').optional(),
  SMTP_URL: address(['smtp:', 'smtps:'], 'smtp://user:password@host:587').optional(),
  SMS_URL: address(['http:', 'https:'], 'https://api.example.com/messages').optional(),
  SMS_BODY: z
    .string()
    .refine(isJsonObject, 'must be a JSON object with {to}, {text} and {from} where they belong')
    .default('{"to":"{to}","from":"{from}","text":"{text}"}'),
  SMS_TOKEN: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'must be plain letters, digits and signs')
    .optional(),
  SMS_FROM: z.string().max(40, 'must be at most 40 letters').default(''),
  FAIRWICK_CALLS_PER_ADDRESS: wholeNumber({ from: 1, to: 1_000_000 }).default(100),
  FAIRWICK_CALLS_PER_ACCOUNT: wholeNumber({ from: 1, to: 1_000_000 }).default(50),
  FAIRWICK_SMS_PER_DAY: wholeNumber({ from: 1, to: 10_000_000 }).default(5_000),
  FAIRWICK_SIGN_UPS_PER_HOUR: wholeNumber({ from: 1, to: 1_000_000 }).default(200),
  // The minimum is 2 because the database never deletes ticks of the newest two days.
  FAIRWICK_TICKS_KEPT_DAYS: wholeNumber({ from: 2, to: 36_500 }).optional(),
  TRUSTED_PROXIES: addressRanges(),
  FAIRWICK_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a header, such as CF-IPCountry')
    .transform((name) => name.toLowerCase())
    .optional(),
  FAIRWICK_IP_COUNTRIES: z.string().optional(),
  FAIRWICK_PRIVATE_ADDRESSES: addressRanges(),
  FAIRWICK_PUSH_HOSTS: hostNames(),
  FAIRWICK_HEARTBEAT_URL: address(['https:'], 'https://checks.example.com/my-site').optional(),
  FAIRWICK_METRICS_HOST: z.string().default('127.0.0.1'),
  FAIRWICK_METRICS_PORT: wholeNumber({ from: 0, to: 65_535 }).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})
type Variables = z.infer<typeof VARIABLES>
/** The names of all variables. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES.shape)

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from the environment. Throws one `StartUpError` that lists all faults. Values may be secrets,
 * so the error does not repeat them.
 */
export function readConfig(environment: Environment): Config {
  const { config, problems } = examineConfig(environment)
  if (!config || problems.length > 0) throw cannotStart(problems)
  return config
}

/** Returns the configuration, as far as it can be read, and all its faults. */
export function examineConfig(environment: Environment): { config: Config | undefined; problems: string[] } {
  // An empty variable counts as unset, because compose files and shells leave variables empty.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const unknown = Object.keys(given).filter((name) => name.startsWith('FAIRWICK_') && !(name in VARIABLES.shape))
  const problems = unknown.map((name) => `${name} is not a known variable`)

  const read = VARIABLES.safeParse(given)
  const wrong = new Set(read.error?.issues.map(({ path }) => String(path[0])))
  problems.push(...(read.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`))
  // A wrong variable counts as unset, so that the remaining variables are still checked.
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)))
  const variables = read.data ?? VARIABLES.safeParse(rest).data
  const config = variables && toConfig(variables, (name) => given[name])
  if (config?.databaseMigrationUrl && !given['DATABASE_URL'])
    problems.push('DATABASE_MIGRATION_URL needs DATABASE_URL, the login that the server works with')
  if (config?.mode === 'live') problems.push(...weakenedTls(environment))
  if (config) problems.push(...missingForLive(config).filter((line) => ![...wrong].some((name) => line.includes(name))))
  return { config, problems }
}

function toConfig(variables: Variables, keyOf: (variable: string) => string | undefined): Config {
  const mode = variables.FAIRWICK_MODE
  return {
    mode,
    host: variables.HOST ?? (mode === 'demo' ? '127.0.0.1' : '0.0.0.0'),
    port: variables.PORT,
    publicUrl: variables.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(variables.FAIRWICK_DATA_DIR),
    databaseUrl: variables.DATABASE_URL,
    databaseMigrationUrl: variables.DATABASE_MIGRATION_URL,
    databasePoolSize: variables.DATABASE_POOL_SIZE,
    feeds: toFeeds(variables, keyOf),
    bots: mode === 'demo' && variables.FAIRWICK_BOTS === 'on',
    offlineStart: variables.FAIRWICK_WORKER === 'on',
    roles: new Set(variables.FAIRWICK_ROLES),
    natsUrl: variables.NATS_URL,
    signingKey: variables.FAIRWICK_SIGNING_KEY,
    registerKey: variables.FAIRWICK_REGISTER_KEY,
    dataKey: variables.FAIRWICK_DATA_KEY,
    recordsKey: variables.FAIRWICK_RECORDS_KEY,
    smtpUrl: variables.SMTP_URL,
    sms: toSms(variables),
    trustedProxies: variables.TRUSTED_PROXIES,
    countryHeader: variables.FAIRWICK_COUNTRY_HEADER,
    ipCountries: variables.FAIRWICK_IP_COUNTRIES === undefined ? undefined : resolve(variables.FAIRWICK_IP_COUNTRIES),
    privateAddresses: variables.FAIRWICK_PRIVATE_ADDRESSES,
    pushHosts: variables.FAIRWICK_PUSH_HOSTS,
    heartbeatUrl: variables.FAIRWICK_HEARTBEAT_URL,
    callsPerAddress: variables.FAIRWICK_CALLS_PER_ADDRESS,
    callsPerAccount: variables.FAIRWICK_CALLS_PER_ACCOUNT,
    smsPerDay: variables.FAIRWICK_SMS_PER_DAY,
    signUpsPerHour: variables.FAIRWICK_SIGN_UPS_PER_HOUR,
    tickRetentionDays: variables.FAIRWICK_TICKS_KEPT_DAYS ?? TICK_RETENTION_DAYS[mode],
    metrics:
      variables.FAIRWICK_METRICS_PORT === undefined
        ? undefined
        : { host: variables.FAIRWICK_METRICS_HOST, port: variables.FAIRWICK_METRICS_PORT },
    logLevel: variables.LOG_LEVEL,
  }
}

function toSms({ SMS_URL: url, SMS_BODY: body, SMS_TOKEN: token, SMS_FROM: from }: Variables): SmsConfig | undefined {
  return url === undefined ? undefined : { url, body, token, from }
}

function toFeeds(variables: Variables, keyOf: (variable: string) => string | undefined): FeedsConfig {
  switch (variables.FAIRWICK_FEEDS) {
    case 'synthetic':
      return { kind: 'synthetic', seed: variables.FAIRWICK_SEED }
    case 'replay':
      return { kind: 'replay', speed: variables.FAIRWICK_REPLAY_SPEED, offsetMs: variables.FAIRWICK_REPLAY_OFFSET_MS }
    case 'exchanges':
      return { kind: 'file', place: { kind: 'shipped' }, keyOf, seed: variables.FAIRWICK_SEED }
    default:
      return { kind: 'file', place: feedsPlace(variables.FAIRWICK_FEEDS), keyOf, seed: variables.FAIRWICK_SEED }
  }
}

function feedsPlace(given: string): FeedsPlace {
  return given.trimStart().startsWith('{') ? { kind: 'text', text: given } : { kind: 'path', path: resolve(given) }
}

/**
 * Lists what live mode lacks. Live mode requires real prices, a database that survives a power cut, and a way to send
 * messages.
 */
function missingForLive(config: Config): string[] {
  if (config.mode !== 'live') return []
  return [
    config.databaseUrl ? '' : 'live mode needs DATABASE_URL: the embedded database is for trying out',
    config.feeds.kind === 'file' ? '' : 'live mode needs FAIRWICK_FEEDS to name real price sources, such as exchanges',
    config.publicUrl?.startsWith('https:') ? '' : 'live mode needs PUBLIC_URL, over https',
    config.smtpUrl ? '' : 'live mode needs SMTP_URL',
    config.dataKey
      ? ''
      : 'live mode needs FAIRWICK_DATA_KEY to encrypt personal data: 32 random bytes in base64url, stored apart from the database',
  ].filter(Boolean)
}

function wholeNumber({ from, to }: { from: number; to: number }) {
  const problem = `must be a whole number from ${from} to ${to}`
  return z
    .string()
    .regex(/^\d{1,16}$/, problem)
    .transform(Number)
    .pipe(z.number().min(from, problem).max(to, problem))
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

function address(protocols: readonly string[], example: string) {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), `must look like ${example}`)
}

function addressRanges() {
  const problem = 'must be addresses or ranges such as 10.0.0.0/8, with commas between'
  return z
    .string()
    .transform((text) => text.split(',').map((range) => range.trim()))
    .pipe(z.array(z.string().refine(isAddressRange, problem)))
    .default([])
}

function isAddressRange(text: string): boolean {
  const [network = '', bits, ...rest] = text.split('/')
  const version = isIP(network)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}

function hostNames() {
  const problem = 'must be names such as push.example.com, with commas between'
  return z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, problem)))
    .default([])
}
