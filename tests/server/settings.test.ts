import { expect, it } from 'vitest'
import { assertSandboxIsPrivate, readSettings, sandboxWarning } from '../../server/settings.ts'
import { StartupError } from '../../server/startup-error.ts'

const defaults = {
  port: 4000,
  host: '127.0.0.1',
  dataDir: '.data',
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  nats: undefined,
  secretKey: undefined,
  secretKeys: undefined,
  supabase: undefined,
  graph: undefined,
  facebookLogin: undefined,
  graphApiVersion: 'v26.0',
  business: { currency: 'PHP', locale: 'en-PH', time_zone: 'Asia/Manila', country: 'PH' },
  sandboxAppSecret: undefined,
  sandboxVerifyToken: undefined,
  sandboxLiveliness: 'calm',
  sandboxPeople: undefined,
  sandboxIsPublic: false,
  deviceCache: true,
  requireSecondFactor: undefined,
  publicUrl: undefined,
  retention: { messages: null, bodies: 7, events: null },
  logLevel: 'info',
  allowedOrigins: [],
  sourceMaps: false,
  trustedProxies: 0,
  socketLimits: { inAll: 2_000, perAddress: 200 },
  files: { maxBytes: 25 * 1024 * 1024, s3: undefined },
  push: { showsNames: false, origins: [] },
  webhookOrigins: [],
  metricsToken: undefined,
  mail: undefined,
  alarms: { emails: [], webhook: undefined },
}

it('readSettings returns the defaults without variables, and ignores empty ones', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '', SUPABASE_URL: '', HOME: '/root' })).toEqual(defaults)
})

it('readSettings reads every setting, and removes the slash at the end of a URL', () => {
  expect(
    readSettings({
      PORT: '4101',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/inbox',
      DATABASE_URL: 'postgres://inbox:pw@db:5432/inbox',
      DATABASE_DIRECT_URL: 'postgres://inbox:pw@db:5433/inbox',
      SECRET_KEY: 'k'.repeat(32),
      SUPABASE_URL: 'https://project.supabase.co/',
      SUPABASE_JWT_SECRET: 'jwt',
      SUPABASE_ANON_KEY: 'anon',
      GRAPH_API_URL: 'https://graph.facebook.com/',
      GRAPH_API_VERSION: 'v27.0',
      META_APP_ID: '1',
      META_APP_SECRET: 'app',
      META_VERIFY_TOKEN: 'verify',
      META_LOGIN_CONFIG_ID: '77',
      PUBLIC_URL: 'https://inbox.example.com/',
      TIME_ZONE: 'Europe/Lisbon',
      CURRENCY: 'EUR',
      PHONE_COUNTRY: 'PT',
      CURRENCY_LOCALE: 'pt-PT',
      SANDBOX_LIVELINESS: 'still',
      SANDBOX_PEOPLE: '50',
      SANDBOX_PUBLIC: 'yes',
      DEVICE_CACHE: 'no',
      SOURCE_MAPS: 'yes',
      LOG_LEVEL: 'silent',
      TRUST_PROXY: '2',
      ATTACHMENT_MAX_MB: '5',
      S3_ENDPOINT: 'https://s3.example.com/',
      S3_BUCKET: 'inbox-files',
      S3_REGION: 'eu-west-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      MAX_SOCKETS: '500',
      MAX_SOCKETS_PER_ADDRESS: '50',
      PUSH_SHOWS_TEXT: 'yes',
      PUSH_ORIGINS: 'https://push.example.com/, http://localhost:8080',
      WEBHOOK_ORIGINS: 'http://localhost:9000/hook',
      METRICS_TOKEN: 'a-token-of-sixteen',
      SMTP_URL: 'smtps://inbox:pw@mail.example.com:465',
      MAIL_FROM: 'inbox@example.com',
      ALARM_EMAILS: 'one@example.com, two@example.com',
      ALARM_WEBHOOK_URL: 'https://alarms.example.com/hook',
      ALARM_WEBHOOK_SECRET: 'a-secret-of-sixteen',
      ALLOWED_ORIGINS: 'https://a.example.com/, http://localhost:5173',
    }),
  ).toEqual({
    port: 4101,
    host: '0.0.0.0',
    dataDir: '/var/inbox',
    databaseUrl: 'postgres://inbox:pw@db:5432/inbox',
    databaseDirectUrl: 'postgres://inbox:pw@db:5433/inbox',
    secretKey: 'k'.repeat(32),
    secretKeys: undefined,
    supabase: { url: 'https://project.supabase.co', jwtSecret: 'jwt', anonKey: 'anon' },
    graph: { url: 'https://graph.facebook.com', appId: '1', appSecret: 'app', verifyToken: 'verify' },
    facebookLogin: { url: 'https://www.facebook.com', configId: '77' },
    publicUrl: 'https://inbox.example.com',
    graphApiVersion: 'v27.0',
    business: { currency: 'EUR', locale: 'pt-PT', time_zone: 'Europe/Lisbon', country: 'PT' },
    sandboxAppSecret: 'app',
    sandboxVerifyToken: 'verify',
    sandboxLiveliness: 'still',
    sandboxPeople: 50,
    sandboxIsPublic: true,
    deviceCache: false,
    retention: { messages: null, bodies: 7, events: null },
    sourceMaps: true,
    logLevel: 'silent',
    trustedProxies: 2,
    files: {
      maxBytes: 5 * 1024 * 1024,
      s3: {
        endpoint: 'https://s3.example.com',
        bucket: 'inbox-files',
        region: 'eu-west-1',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
      },
    },
    socketLimits: { inAll: 500, perAddress: 50 },
    push: { showsNames: true, origins: ['https://push.example.com', 'http://localhost:8080'] },
    webhookOrigins: ['http://localhost:9000'],
    metricsToken: 'a-token-of-sixteen',
    mail: { url: 'smtps://inbox:pw@mail.example.com:465', from: 'inbox@example.com' },
    alarms: {
      emails: ['one@example.com', 'two@example.com'],
      webhook: { url: 'https://alarms.example.com/hook', secret: 'a-secret-of-sixteen' },
    },
    allowedOrigins: ['https://a.example.com', 'http://localhost:5173'],
  })
})

it('readSettings reads the keys of a ring, newest first', () => {
  const [newest, older] = ['n'.repeat(32), 'o'.repeat(32)]
  expect(readSettings({ SECRET_KEYS: `${newest}, ${older}` }).secretKeys).toEqual([newest, older])
})

it.each([
  [
    { SECRET_KEYS: `${'n'.repeat(32)},short` },
    'The setting SECRET_KEYS is not valid: each key must have at least 32 characters.',
  ],
  [{ SECRET_KEYS: 'n'.repeat(32), SECRET_KEY: 'o'.repeat(32) }, 'Set SECRET_KEYS or SECRET_KEY, not both.'],
  [{ PORT: 'four' }, 'The setting PORT is not valid: must be a number.'],
  [{ PORT: '65536' }, 'The setting PORT is not valid: must be at most 65535.'],
  [{ DATABASE_DIRECT_URL: 'postgres://db' }, 'The setting DATABASE_URL is needed when DATABASE_DIRECT_URL is set.'],
  [{ NATS_URL: 'nats://nats' }, 'The setting DATABASE_URL is needed when NATS_URL is set.'],
  [
    { NATS_URL: 'nats://nats', DATABASE_URL: 'postgres://db', SUPABASE_URL: 'https://project.supabase.co' },
    'Set NATS_URL or SUPABASE_URL, not both: the realtime of the project does not use NATS.',
  ],
  ...['http://nats', 'nats://secret@nats/path', 'nats://nats,postgres://db', 'nats://%E0@nats'].map(
    (url): [Record<string, string>, string] => [
      { NATS_URL: url, DATABASE_URL: 'postgres://db' },
      'The setting NATS_URL is not valid: it must begin with nats:// or tls:// and have no path.',
    ],
  ),
  [{ NATS_REPLICAS: '6' }, 'The setting NATS_REPLICAS is not valid: must be at most 5.'],
  [{ DATABASE_URL: 'mysql://db' }, 'The setting DATABASE_URL is not valid: must begin with postgres://.'],
  [
    { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'inbox', S3_ACCESS_KEY_ID: 'id' },
    'The setting S3_SECRET_ACCESS_KEY is needed when S3_ENDPOINT is set.',
  ],
  [{ S3_BUCKET: 'a/b' }, 'The setting S3_BUCKET is not valid: must be the name of a bucket.'],
  [{ MAX_SOCKETS: '0' }, 'The setting MAX_SOCKETS is not valid: must be at least 1.'],
  [{ TRUST_PROXY: 'yes' }, 'The setting TRUST_PROXY is not valid: must be a number.'],
  [{ SECRET_KEY: 'short' }, 'The setting SECRET_KEY is not valid: must have at least 32 characters.'],
  [{ SUPABASE_URL: 'project' }, 'The setting SUPABASE_URL is not valid: must begin with http:// or https://.'],
  [{ GRAPH_API_VERSION: '26' }, 'The setting GRAPH_API_VERSION is not valid: must look like v26.0.'],
  [{ TIME_ZONE: 'Manila' }, 'The setting TIME_ZONE is not valid: must be a time zone, like Asia/Manila.'],
  [
    { CURRENCY: 'peso' },
    'The setting CURRENCY is not valid: must be an ISO 4217 code with at most 2 decimals, like PHP.',
  ],
  [
    { CURRENCY: 'KWD' },
    'The setting CURRENCY is not valid: must be an ISO 4217 code with at most 2 decimals, like PHP.',
  ],
  [{ PHONE_COUNTRY: '63' }, 'The setting PHONE_COUNTRY is not valid: must be the ISO 3166 code of a country, like PH.'],
  [{ CURRENCY_LOCALE: 'x' }, 'The setting CURRENCY_LOCALE is not valid: must be a language tag, like en-PH.'],
  [{ SANDBOX_LIVELINESS: 'mad' }, 'The setting SANDBOX_LIVELINESS is not valid: must be still, calm or lively.'],
  [{ SANDBOX_PEOPLE: '1001' }, 'The setting SANDBOX_PEOPLE is not valid: must be at most 1000.'],
  [{ SANDBOX_PUBLIC: 'no' }, 'The setting SANDBOX_PUBLIC is not valid: must be yes, or not set.'],
  [
    { GRAPH_API_URL: 'https://graph.facebook.com', META_APP_ID: '1', META_APP_SECRET: 'x' },
    'The setting META_VERIFY_TOKEN is needed when GRAPH_API_URL is set.',
  ],
  [
    {
      GRAPH_API_URL: 'https://graph.facebook.com',
      META_APP_ID: '1',
      META_APP_SECRET: 'x',
      META_VERIFY_TOKEN: 'y',
      META_LOGIN_CONFIG_ID: '77',
    },
    'The setting PUBLIC_URL is needed when META_LOGIN_CONFIG_ID is set.',
  ],
  [
    { ALLOWED_ORIGINS: 'inbox.example.com' },
    'The setting ALLOWED_ORIGINS is not valid: each must look like https://inbox.example.com.',
  ],
])('readSettings rejects %j in one sentence without the value', (env, sentence) => {
  expect(() => readSettings(env)).toThrow(new StartupError(sentence))
})

const realNetwork = {
  GRAPH_API_URL: 'https://graph.facebook.com',
  META_APP_ID: '1',
  META_APP_SECRET: 'app',
  META_VERIFY_TOKEN: 'verify',
}

it.each([
  {},
  { HOST: 'localhost' },
  { HOST: '127.1.2.3' },
  { HOST: '::1' },
  { HOST: '0.0.0.0', SANDBOX_PUBLIC: 'yes' },
  { HOST: '0.0.0.0', ...realNetwork },
])('assertSandboxIsPrivate accepts %j', (env) => {
  expect(() => assertSandboxIsPrivate(readSettings(env))).not.toThrow()
})

it.each(['0.0.0.0', '::', '192.168.0.7', '127.example.com', 'inbox.example.com'])(
  'assertSandboxIsPrivate rejects a sandbox on %s in one sentence that says what to set',
  (HOST) => {
    expect(() => assertSandboxIsPrivate(readSettings({ HOST }))).toThrow(
      new StartupError(
        'HOST lets other machines in, but without GRAPH_API_URL the server is a sandbox, with known passwords and open control calls: set GRAPH_API_URL, leave HOST out, or set SANDBOX_PUBLIC=yes if that is wanted.',
      ),
    )
  },
)

it('sandboxWarning warns about a sandbox on an external database', () => {
  const DATABASE_URL = 'postgres://inbox:pw@db:5432/inbox'
  expect(sandboxWarning(readSettings({ DATABASE_URL }))).toBe(
    'GRAPH_API_URL is not set: the database is filled with the sandbox, and its accounts have known passwords. Give the real network a database of its own.',
  )
  expect(sandboxWarning(readSettings({}))).toBeNull()
  expect(sandboxWarning(readSettings({ DATABASE_URL, ...realNetwork }))).toBeNull()
})

it.each([
  ['nats://nats', { servers: ['nats:4222'], credentials: {}, needsTls: false }],
  ['nats://token@nats:4300', { servers: ['nats:4300'], credentials: { token: 'token' }, needsTls: false }],
  [
    'tls://inbox:p%40ss@a.example, nats://b.example:4223',
    {
      servers: ['a.example:4222', 'b.example:4223'],
      credentials: { user: 'inbox', pass: 'p@ss' },
      needsTls: true,
    },
  ],
])('readSettings reads the addresses, the credentials and TLS of NATS_URL %s', (url, address) => {
  expect(readSettings({ NATS_URL: url, DATABASE_URL: 'postgres://db', NATS_REPLICAS: '3' }).nats).toEqual({
    address,
    replicas: 3,
  })
})
