import { isIPv4 } from 'node:net'
import { isSupportedCountry } from 'libphonenumber-js/min'
import * as z from 'zod/mini'
import { type Business, defaultBusiness, isCurrency, isLocale, isTimeZone } from '../src/schemas/business.ts'
import { type NatsAddress, readNatsAddress } from './changes/nats-address.ts'
import { StartupError } from './startup-error.ts'

const text = z.optional(z.string().check(z.minLength(1, 'must not be empty')))
const url = (protocol: RegExp, error: string) => z.optional(z.url({ protocol, error }))
const emailAddress = z.email('must be an email address')
const webAddress = url(/^https?$/, 'must begin with http:// or https://')

const defaultBodyRetention = 7

const days = (least: number) =>
  z.optional(
    z.coerce
      .number('must be a number of days')
      .check(z.int(), z.minimum(least, `must be at least ${least}`), z.maximum(36_500, 'must be at most 36500')),
  )

const setting = (isValid: (value: string) => boolean, what: string, fallback: string) =>
  z._default(z.string().check(z.refine(isValid, `must be ${what}, like ${fallback}`)), fallback)

const count = (fallback: number) =>
  z._default(z.coerce.number('must be a number').check(z.int(), z.minimum(1, 'must be at least 1')), fallback)

const schema = z.object({
  PORT: z._default(
    z.coerce.number('must be a number').check(z.int(), z.minimum(0), z.maximum(65_535, 'must be at most 65535')),
    4000,
  ),
  HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), '.data'),
  DATABASE_URL: url(/^postgres(ql)?$/, 'must begin with postgres://'),
  DATABASE_DIRECT_URL: url(/^postgres(ql)?$/, 'must begin with postgres://'),
  /** Comma-separated. */
  NATS_URL: text,
  NATS_REPLICAS: z._default(
    z.coerce.number('must be a number').check(z.int(), z.minimum(1), z.maximum(5, 'must be at most 5')),
    1,
  ),
  SECRET_KEY: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  /** Comma-separated, newest first. */
  SECRET_KEYS: text,
  SUPABASE_URL: webAddress,
  SUPABASE_JWT_SECRET: text,
  SUPABASE_ANON_KEY: text,
  GRAPH_API_URL: webAddress,
  GRAPH_API_VERSION: z._default(z.string().check(z.regex(/^v\d+\.\d+$/, 'must look like v26.0')), 'v26.0'),
  META_APP_ID: text,
  META_APP_SECRET: text,
  META_VERIFY_TOKEN: text,
  /** The configuration of Facebook Login for Business. */
  META_LOGIN_CONFIG_ID: text,
  /** Where people sign in at the network. */
  META_LOGIN_URL: z._default(
    z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }),
    'https://www.facebook.com',
  ),
  TIME_ZONE: setting(isTimeZone, 'a time zone', defaultBusiness.time_zone),
  /** Of phone numbers without a country code. */
  PHONE_COUNTRY: setting(isSupportedCountry, 'the ISO 3166 code of a country', defaultBusiness.country),
  CURRENCY: setting(isCurrency, 'an ISO 4217 code with at most 2 decimals', defaultBusiness.currency),
  CURRENCY_LOCALE: setting(isLocale, 'a language tag', defaultBusiness.locale),
  SANDBOX_LIVELINESS: z._default(
    z.enum(['still', 'calm', 'lively'], { error: 'must be still, calm or lively' }),
    'calm',
  ),
  SANDBOX_PEOPLE: z.optional(
    z.coerce
      .number('must be a number')
      .check(z.int(), z.minimum(1, 'must be at least 1'), z.maximum(1_000, 'must be at most 1000')),
  ),
  SANDBOX_PUBLIC: z.optional(z.literal('yes', 'must be yes, or not set')),
  /** Whether browsers may keep a copy of conversations for the next start. */
  DEVICE_CACHE: z._default(z.enum(['yes', 'no'], { error: 'must be yes or no' }), 'yes'),
  REQUIRE_SECOND_FACTOR: z.optional(z.enum(['admins', 'all'], { error: 'must be admins or all, or not set' })),
  /** The address of the pages as people open it, for links in emails. */
  PUBLIC_URL: webAddress,
  RETAIN_MESSAGES_DAYS: days(2),
  RETAIN_BODIES_DAYS: days(1),
  RETAIN_EVENTS_DAYS: days(1),
  /** Whether the source maps of the pages are public. */
  SOURCE_MAPS: z._default(z.enum(['yes', 'no'], { error: 'must be yes or no' }), 'no'),
  LOG_LEVEL: z._default(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
  ),
  /** Comma-separated origins that may call the API (CORS). */
  ALLOWED_ORIGINS: z._default(z.string(), ''),
  /** Larger files of customers are not copied. */
  ATTACHMENT_MAX_MB: count(25),
  S3_ENDPOINT: webAddress,
  S3_BUCKET: z.optional(
    z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
  ),
  S3_REGION: z._default(z.string().check(z.minLength(1)), 'auto'),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  /** Realtime sockets that a process keeps open, and those of one address. */
  MAX_SOCKETS: count(2_000),
  MAX_SOCKETS_PER_ADDRESS: count(200),
  /** smtps://user:password@host:465 */
  SMTP_URL: url(/^smtps?$/, 'must begin with smtp:// or smtps://'),
  /** The sender of mails. */
  MAIL_FROM: z.optional(emailAddress),
  /** Comma-separated addresses that receive announcements of incidents. */
  ALARM_EMAILS: z._default(z.string(), ''),
  ALARM_WEBHOOK_URL: webAddress,
  /** Signs the bodies of ALARM_WEBHOOK_URL. */
  ALARM_WEBHOOK_SECRET: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  /** Whether push notifications contain the names and texts of customers. */
  PUSH_SHOWS_TEXT: z._default(z.enum(['yes', 'no'], { error: 'must be yes or no' }), 'no'),
  /** Comma-separated origins of further push services. */
  PUSH_ORIGINS: z._default(z.string(), ''),
  /** Comma-separated origins that webhooks may be sent to although they are http or private. */
  WEBHOOK_ORIGINS: z._default(z.string(), ''),
  /** Prometheus sends it as its bearer token. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, 'must have at least 16 characters'))),
  /** The number of proxies in front of the server; each appends one entry to X-Forwarded-For. */
  TRUST_PROXY: z._default(
    z.coerce.number('must be a number').check(z.int(), z.minimum(0), z.maximum(10, 'must be at most 10')),
    0,
  ),
})

export type S3Settings = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type Settings = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** The same database past a transaction pooler, which `databaseUrl` then names. */
  databaseDirectUrl: string | undefined
  /** Undefined: processes tell each other of changes by NOTIFY of the database. */
  nats: { address: NatsAddress; replicas: number } | undefined
  secretKey: string | undefined
  /** Newest first. Undefined: `secretKey` alone. */
  secretKeys: readonly [string, ...string[]] | undefined
  supabase: { url: string; jwtSecret: string | undefined; anonKey: string | undefined } | undefined
  /** The real network. Undefined: the sandbox is used. */
  graph: { url: string; appId: string; appSecret: string; verifyToken: string } | undefined
  /** Facebook Login with the real network. Undefined: not offered there. */
  facebookLogin: { url: string; configId: string } | undefined
  graphApiVersion: string
  /** Its time zone is that of business hours, reports and dates. Page pictures are refreshed at 2:00 in it. */
  business: Business
  /** The sandbox's app secret and verify token; generated if undefined. */
  sandboxAppSecret: string | undefined
  sandboxVerifyToken: string | undefined
  sandboxLiveliness: 'still' | 'calm' | 'lively'
  /** The people of a new sandbox. Undefined: as many as a demonstration needs. */
  sandboxPeople: number | undefined
  /** Whether other machines may reach the sandbox. */
  sandboxIsPublic: boolean
  /** Whether browsers may keep a copy of conversations for the next start. */
  deviceCache: boolean
  /** Who must have a second factor; undefined for nobody. */
  requireSecondFactor: 'admins' | 'all' | undefined
  /** The address of the pages, without a slash at its end. Links in emails begin with it. */
  publicUrl: string | undefined
  /** Days after which messages, stored webhook bodies and events are removed. Null: never. */
  retention: { messages: number | null; bodies: number; events: number | null }
  /** Whether the source maps of the pages are public. */
  sourceMaps: boolean
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  allowedOrigins: string[]
  trustedProxies: number
  socketLimits: { inAll: number; perAddress: number }
  files: {
    /** Bytes. */
    maxBytes: number
    /** Undefined: a folder in `dataDir`. */
    s3: S3Settings | undefined
  }
  push: {
    /** Whether notifications contain the names and texts of customers. */
    showsNames: boolean
    /** Push services besides those of the known browsers. */
    origins: string[]
  }
  /** Origins that webhooks may be sent to although they are http or private. */
  webhookOrigins: string[]
  metricsToken: string | undefined
  mail: { url: string; from: string } | undefined
  alarms: { emails: string[]; webhook: { url: string; secret: string } | undefined }
}

/**
 * Reads the server's settings from the environment; an empty variable counts as not set. Throws StartupError, which names
 * the invalid setting but never its value.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StartupError(`The setting ${issue?.path.join('.')} is not valid: ${issue?.message}.`)
  }
  const values = parsed.data
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new StartupError('The setting DATABASE_URL is needed when DATABASE_DIRECT_URL is set.')
  }
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    nats: readNats(values),
    secretKey: values.SECRET_KEY,
    secretKeys: readSecretKeys(values),
    supabase:
      values.SUPABASE_URL === undefined
        ? undefined
        : {
            url: withoutSlash(values.SUPABASE_URL),
            jwtSecret: values.SUPABASE_JWT_SECRET,
            anonKey: values.SUPABASE_ANON_KEY,
          },
    graph: readGraph(values),
    facebookLogin: readFacebookLogin(values),
    graphApiVersion: values.GRAPH_API_VERSION,
    business: {
      currency: values.CURRENCY,
      locale: values.CURRENCY_LOCALE,
      time_zone: values.TIME_ZONE,
      country: values.PHONE_COUNTRY,
    },
    sandboxAppSecret: values.META_APP_SECRET,
    sandboxVerifyToken: values.META_VERIFY_TOKEN,
    sandboxLiveliness: values.SANDBOX_LIVELINESS,
    sandboxPeople: values.SANDBOX_PEOPLE,
    sandboxIsPublic: values.SANDBOX_PUBLIC === 'yes',
    deviceCache: values.DEVICE_CACHE === 'yes',
    requireSecondFactor: values.REQUIRE_SECOND_FACTOR,
    publicUrl: values.PUBLIC_URL === undefined ? undefined : withoutSlash(values.PUBLIC_URL),
    retention: {
      messages: values.RETAIN_MESSAGES_DAYS ?? null,
      bodies: values.RETAIN_BODIES_DAYS ?? defaultBodyRetention,
      events: values.RETAIN_EVENTS_DAYS ?? null,
    },
    sourceMaps: values.SOURCE_MAPS === 'yes',
    logLevel: values.LOG_LEVEL,
    allowedOrigins: readOrigins('ALLOWED_ORIGINS', values.ALLOWED_ORIGINS),
    trustedProxies: values.TRUST_PROXY,
    socketLimits: { inAll: values.MAX_SOCKETS, perAddress: values.MAX_SOCKETS_PER_ADDRESS },
    files: { maxBytes: values.ATTACHMENT_MAX_MB * 1024 * 1024, s3: readS3(values) },
    push: { showsNames: values.PUSH_SHOWS_TEXT === 'yes', origins: readOrigins('PUSH_ORIGINS', values.PUSH_ORIGINS) },
    webhookOrigins: readOrigins('WEBHOOK_ORIGINS', values.WEBHOOK_ORIGINS),
    metricsToken: values.METRICS_TOKEN,
    mail: readMail(values),
    alarms: readAlarms(values),
  }
}

/** Throws StartupError if other machines could reach the sandbox and SANDBOX_PUBLIC does not allow it. */
export function assertSandboxIsPrivate({ graph, host, sandboxIsPublic }: Settings): void {
  if (graph !== undefined || sandboxIsPublic || isLoopback(host)) return
  throw new StartupError(
    'HOST lets other machines in, but without GRAPH_API_URL the server is a sandbox, with known passwords and open control calls: set GRAPH_API_URL, leave HOST out, or set SANDBOX_PUBLIC=yes if that is wanted.',
  )
}

/** The start-up warning for a sandbox on an external database; null if there is nothing to warn about. */
export function sandboxWarning({ graph, databaseUrl }: Settings): string | null {
  if (graph !== undefined || databaseUrl === undefined) return null
  return 'GRAPH_API_URL is not set: the database is filled with the sandbox, and its accounts have known passwords. Give the real network a database of its own.'
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

function readGraph(values: z.infer<typeof schema>): Settings['graph'] {
  if (values.GRAPH_API_URL === undefined) return undefined
  const required = (name: 'META_APP_ID' | 'META_APP_SECRET' | 'META_VERIFY_TOKEN'): string => {
    const value = values[name]
    if (value === undefined) throw new StartupError(`The setting ${name} is needed when GRAPH_API_URL is set.`)
    return value
  }
  return {
    url: withoutSlash(values.GRAPH_API_URL),
    appId: required('META_APP_ID'),
    appSecret: required('META_APP_SECRET'),
    verifyToken: required('META_VERIFY_TOKEN'),
  }
}

function readFacebookLogin(values: z.infer<typeof schema>): Settings['facebookLogin'] {
  const { GRAPH_API_URL: graphUrl, META_LOGIN_CONFIG_ID: configId, META_LOGIN_URL: url, PUBLIC_URL: publicUrl } = values
  if (graphUrl === undefined || configId === undefined) return undefined
  if (publicUrl === undefined) {
    throw new StartupError('The setting PUBLIC_URL is needed when META_LOGIN_CONFIG_ID is set.')
  }
  return { url: withoutSlash(url), configId }
}

function readNats(values: z.infer<typeof schema>): Settings['nats'] {
  if (values.NATS_URL === undefined) return undefined
  if (values.DATABASE_URL === undefined) {
    throw new StartupError('The setting DATABASE_URL is needed when NATS_URL is set.')
  }
  if (values.SUPABASE_URL !== undefined) {
    throw new StartupError('Set NATS_URL or SUPABASE_URL, not both: the realtime of the project does not use NATS.')
  }
  const address = readNatsAddress(values.NATS_URL)
  if (address === null) {
    throw new StartupError('The setting NATS_URL is not valid: it must begin with nats:// or tls:// and have no path.')
  }
  return { address, replicas: values.NATS_REPLICAS }
}

function readSecretKeys({ SECRET_KEYS: list, SECRET_KEY: single }: z.infer<typeof schema>): Settings['secretKeys'] {
  if (list === undefined) return undefined
  if (single !== undefined) throw new StartupError('Set SECRET_KEYS or SECRET_KEY, not both.')
  const [newest = '', ...older] = list.split(',').map((secret) => secret.trim())
  if ([newest, ...older].some((secret) => secret.length < 32)) {
    throw new StartupError('The setting SECRET_KEYS is not valid: each key must have at least 32 characters.')
  }
  return [newest, ...older]
}

function readS3(values: z.infer<typeof schema>): S3Settings | undefined {
  if (values.S3_ENDPOINT === undefined) return undefined
  const required = (name: 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'): string => {
    const value = values[name]
    if (value === undefined) throw new StartupError(`The setting ${name} is needed when S3_ENDPOINT is set.`)
    return value
  }
  return {
    endpoint: withoutSlash(values.S3_ENDPOINT),
    bucket: required('S3_BUCKET'),
    region: values.S3_REGION,
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
  }
}

function readMail({ SMTP_URL: url, MAIL_FROM: from }: z.infer<typeof schema>): Settings['mail'] {
  if (url === undefined) return undefined
  if (from === undefined) throw new StartupError('The setting MAIL_FROM is needed when SMTP_URL is set.')
  return { url, from }
}

function readAlarms(values: z.infer<typeof schema>): Settings['alarms'] {
  const emails = listOf(values.ALARM_EMAILS)
  if (emails.some((email) => !emailAddress.safeParse(email).success)) {
    throw new StartupError('The setting ALARM_EMAILS is not valid: each must be an email address.')
  }
  if (emails.length > 0 && values.SMTP_URL === undefined) {
    throw new StartupError('The setting SMTP_URL is needed when ALARM_EMAILS is set.')
  }
  const { ALARM_WEBHOOK_URL: url, ALARM_WEBHOOK_SECRET: secret } = values
  if (url === undefined) return { emails, webhook: undefined }
  if (secret === undefined) {
    throw new StartupError('The setting ALARM_WEBHOOK_SECRET is needed when ALARM_WEBHOOK_URL is set.')
  }
  return { emails, webhook: { url, secret } }
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function readOrigins(name: 'ALLOWED_ORIGINS' | 'PUSH_ORIGINS' | 'WEBHOOK_ORIGINS', list: string): string[] {
  return listOf(list).map((origin) => {
    if (!URL.canParse(origin) || new URL(origin).origin === 'null') {
      throw new StartupError(`The setting ${name} is not valid: each must look like https://inbox.example.com.`)
    }
    return new URL(origin).origin
  })
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
