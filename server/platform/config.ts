import * as z from 'zod'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPrices } from './model-prices.ts'
import { MAIL_PORTS } from './security/addresses.ts'
import { faultOfCredentialUrl } from './security/credential-url.ts'
import { PASSWORD_COST } from './security/passwords.ts'

const flag = z.stringbool({ truthy: ['on', 'true', '1', 'yes'], falsy: ['off', 'false', '0', 'no'] })
const url = (protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be a URL beginning with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  })

const credentialUrl = (protocols: string[], form: string) =>
  z.string().check(({ value, issues }) => {
    const message = faultOfCredentialUrl(value, protocols, form)
    if (message !== null) issues.push({ code: 'custom', message, input: value })
  })

/** A public service without registration; it is asked only once somebody writes an invoice. */
const RATES_SERVICE = 'https://open.er-api.com/v6/latest/USD'

/** True for an address, or a network in CIDR notation ("10.0.0.0/8"). */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.trim().split('/')
  const width = isIP(address) === 6 ? 128 : 32
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    (bits === undefined || /^\d{1,3}$/.test(bits)) &&
    Number(bits ?? 0) <= width
  )
}

/** True for an IP address, also with a port: "192.0.2.1", "192.0.2.1:5353", "[2001:db8::1]:53". */
function isNameServer(text: string): boolean {
  const [, inside, alone = ''] = /^(?:\[(.+)\](?::\d{1,5})?|([^[\]]+?))$/.exec(text.trim()) ?? []
  return isIP(inside ?? alone) !== 0 || isIP(alone.replace(/:\d{1,5}$/, '')) === 4
}

const NO_PATH =
  'must end after the host and its port, as in https://howl.example.com: Howl cannot be below a path, so give it a host name of its own'

/** True for an address without path, query and user. Slashes at the end do no harm. */
function isOnlyOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url === null || url.href.replace(/\/+$/, '') === url.origin
}

/** An env file of Docker hands quotation marks on, unlike a shell. */
const QUOTED = /^(["'])(.*)\1$/s
const QUOTED_FAULT = 'has quotation marks around its value: remove them, they are taken as part of it'
/** `imap.example.org=mx.example.org, …` */
const AUTHSERV_IDS = /^[\w.-]+=[\w.-]+(?:\s*,\s*[\w.-]+=[\w.-]+)*$/

const portNumbers = z
  .string()
  .regex(/^\d+(\s*,\s*\d+)*$/, 'must be port numbers separated by commas')
  .optional()

const codesIn = (list: string) => list.split(',').map((code) => code.trim())

const settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: credentialUrl(
    ['postgres:', 'postgresql:'],
    'postgres://user:password@host:port/database',
  ).optional(),
  PUBLIC_URL: url(['http:', 'https:']).refine(isOnlyOrigin, { error: NO_PATH }).optional(),
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SYSTEM_SMTP_URL: credentialUrl(['smtp:', 'smtps:'], 'smtps://user:password@host:port').optional(),
  AI_BASE_URL: url(['http:', 'https:']).optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().min(1).optional(),
  AI_PORTS: portNumbers,
  AI_RUN_TOKENS: z.coerce.number().int().min(1000).default(2_000_000),
  AI_PRICES: z
    .string()
    .transform((text, refused) => {
      const prices = readPrices(text)
      if (typeof prices !== 'string') return prices
      refused.addIssue(prices)
      return z.NEVER
    })
    .optional(),
  AI_DAILY_CAP: z.coerce.number().int().min(1).max(1_000_000).optional(),
  AI_DAILY_CAP_TOTAL: z.coerce.number().int().min(1).max(100_000_000).optional(),
  ADMIN_EMAIL: z.email().optional(),
  ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(200, 'must have at most 200 characters')
    .optional(),
  ADMIN_ACCESS_CODES: z
    .string()
    .refine((list) => codesIn(list).every((code) => code.length >= 4 && code.length <= 200), {
      error: 'must be codes of 4 to 200 characters, separated by commas',
    })
    .optional(),
  ALLOW_PRIVATE_MAIL_HOSTS: flag.optional(),
  MAIL_PORTS: portNumbers,
  AUTHSERV_IDS: z
    .string()
    .regex(AUTHSERV_IDS, 'must be pairs like imap.example.org=mx.example.org, separated by commas')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .refine((list) => list.split(',').every(isNetwork), 'must be addresses or networks separated by commas')
    .optional(),
  RATE_LIMITS: flag.default(true),
  PLAN_LIMITS: flag.default(true),
  WARM_UP: flag.default(true),
  EXCHANGE_RATES_URL: z.union([z.literal('off'), url(['http:', 'https:'])]).default(RATES_SERVICE),
  OAUTH_MICROSOFT_CLIENT_ID: z.string().optional(),
  OAUTH_MICROSOFT_CLIENT_SECRET: z.string().optional(),
  OAUTH_GOOGLE_CLIENT_ID: z.string().optional(),
  OAUTH_GOOGLE_CLIENT_SECRET: z.string().optional(),
  OAUTH_ISSUER: url(['http:', 'https:']).optional(),
  OAUTH_CLIENT_ID: z.string().optional(),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  OAUTH_NAME: z.string().max(40, 'must have at most 40 characters').optional(),
  OAUTH_SCOPES: z.string().optional(),
  OAUTH_SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  OAUTH_IMAP_URL: url(['imap:', 'imaps:']).optional(),
  BLOBS_URL: url(['file:', 's3:']).optional(),
  COMMUNITY_URL: url(['http:', 'https:']).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Days that the activity log is kept. */
  ACTIVITY_DAYS: z.coerce.number().int().min(30).max(3650).default(365),
  DNS_SERVERS: z
    .string()
    .refine((list) => list.split(',').every(isNameServer), 'must be IP addresses separated by commas')
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  CLOCK_OFFSET: z.coerce.number().int().default(0),
})

/** The settings as the server reads them. */
export type Config = ReturnType<typeof shape>

/** The operator's mail server, as SYSTEM_SMTP_URL gives it: `smtp[s]://user:password@host:port?from=address`. */
export type SystemSmtp = MailServer & {
  username: string
  password: string
  /** The sender's address, where the URL names one. */
  from: string | null
}

/** A provider that mailboxes are connected with by OAuth 2, and Howl's registration with it. */
export type OauthProvider = {
  id: 'microsoft' | 'google' | 'other'
  /** As it stands on the button "Connect with …". */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string[]
  /** Further parameters of the request for consent. */
  parameters: Record<string, string>
  /** Its mail servers; null where they are looked up by the address. */
  smtp: MailServer | null
  imap: MailServer | null
}

export type MailServer = { host: string; port: number; useTls: boolean }

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
const LOOPBACK_NETS = ['127.0.0.0/8', '::1']

/** "All addresses of this machine": a server can listen there, but nobody can connect to it. */
const UNSPECIFIED = new Set(['0.0.0.0', '::'])

/** True for an address of Howl that no other machine can open. */
export function isOnThisMachine(publicUrl: string): boolean {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return LOOPBACK.has(host) || UNSPECIFIED.has(host)
}

/** True where others are likely to use this Howl: it is told its public address, or listens where they can reach it. */
export function isForOthers({ publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>): boolean {
  return !isOnThisMachine(publicUrl) || !LOOPBACK.has(host)
}

const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/**
 * Reads the configuration from environment variables; no other code does.
 *
 * @throws Error with one message that names every wrong value
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const names = Object.keys(settings.shape)
  const textOf = (name: string) => environment[name]?.trim() ?? ''
  const given = names
    .map((name): [string, string] => [name, textOf(name).replace(QUOTED, '$2')])
    .filter(([, value]) => value !== '')
  const parsed = settings.safeParse(Object.fromEntries(given))
  const faults = [
    ...names.filter((name) => QUOTED.test(textOf(name))).map((name) => `${name}: ${QUOTED_FAULT}`),
    ...(parsed.success
      ? crossChecks(parsed.data)
      : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
  ]
  if (!parsed.success || faults.length > 0) {
    throw new Error(
      `Howl cannot start, the settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    )
  }
  return shape(parsed.data)
}

type Settings = z.infer<typeof settings>

function crossChecks(given: Settings): string[] {
  const faults: string[] = []
  if (given.CLOCK_OFFSET !== 0 && !LOOPBACK.has(given.HOST))
    faults.push('CLOCK_OFFSET: only where HOST is loopback')
  if (given.AI_BASE_URL !== undefined && given.AI_MODEL === undefined)
    faults.push('AI_MODEL: needed with AI_BASE_URL')
  if ((given.ADMIN_EMAIL === undefined) !== (given.ADMIN_PASSWORD === undefined)) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD: either both or none')
  }
  if (given.SYSTEM_SMTP_URL !== undefined) {
    const { protocol, port, hostname } = new URL(given.SYSTEM_SMTP_URL)
    if (hostname === '') faults.push('SYSTEM_SMTP_URL: names no host')
    if (protocol === 'smtps:' && port !== '' && port !== '465')
      faults.push('SYSTEM_SMTP_URL: smtps:// is for port 465; use smtp:// for STARTTLS on another port')
  }
  if (given.BLOBS_URL?.startsWith('s3:') === true)
    faults.push('BLOBS_URL: s3 is not supported yet, only file://')
  if (given.METRICS_PORT !== undefined && given.METRICS_TOKEN === undefined)
    faults.push('METRICS_PORT: only with METRICS_TOKEN')
  return [...faults, ...oauthFaults(given)]
}

/** Settings that are of use only together. */
const OAUTH_TOGETHER = [
  ['OAUTH_MICROSOFT_CLIENT_ID', 'OAUTH_MICROSOFT_CLIENT_SECRET'],
  ['OAUTH_GOOGLE_CLIENT_ID', 'OAUTH_GOOGLE_CLIENT_SECRET'],
  ['OAUTH_ISSUER', 'OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET'],
] as const
/** Settings of the provider that OAUTH_ISSUER names. */
const OAUTH_OF_ISSUER = ['OAUTH_NAME', 'OAUTH_SCOPES', 'OAUTH_SMTP_URL', 'OAUTH_IMAP_URL'] as const

function oauthFaults(given: Settings): string[] {
  const faults: string[] = []
  for (const names of OAUTH_TOGETHER) {
    const missing = names.filter((name) => given[name] === undefined)
    if (missing.length > 0 && missing.length < names.length)
      faults.push(`${missing.join(' and ')}: needed with ${names.find((name) => given[name] !== undefined)}`)
  }
  if (given.OAUTH_ISSUER === undefined) {
    for (const name of OAUTH_OF_ISSUER)
      if (given[name] !== undefined) faults.push(`${name}: only with OAUTH_ISSUER`)
    return faults
  }
  const { protocol, hostname } = new URL(given.OAUTH_ISSUER)
  if (protocol === 'http:' && !LOOPBACK.has(hostname.replace(/^\[|\]$/g, '')))
    faults.push('OAUTH_ISSUER: must begin with https://, except on this machine')
  if (given.OAUTH_SMTP_URL !== undefined && new URL(given.OAUTH_SMTP_URL).hostname === '')
    faults.push('OAUTH_SMTP_URL: names no host')
  if (given.OAUTH_IMAP_URL !== undefined && new URL(given.OAUTH_IMAP_URL).hostname === '')
    faults.push('OAUTH_IMAP_URL: names no host')
  return faults
}

/** What is known of the two large providers. */
const KNOWN_PROVIDERS = {
  MICROSOFT: {
    id: 'microsoft',
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/common/v2.0',
    // Reading and sending, also while nobody is there, and the address.
    scopes: [
      'https://outlook.office.com/IMAP.AccessAsUser.All',
      'https://outlook.office.com/SMTP.Send',
      'offline_access',
      'openid',
      'email',
      'profile',
    ],
    parameters: { prompt: 'select_account' },
    smtp: { host: 'smtp.office365.com', port: 587, useTls: true },
    imap: { host: 'outlook.office365.com', port: 993, useTls: true },
  },
  GOOGLE: {
    id: 'google',
    name: 'Google',
    issuer: 'https://accounts.google.com',
    scopes: ['https://mail.google.com/', 'openid', 'email'],
    // Without both, Google gives no refresh token from the second consent on.
    parameters: { access_type: 'offline', prompt: 'consent' },
    smtp: { host: 'smtp.gmail.com', port: 465, useTls: true },
    imap: { host: 'imap.gmail.com', port: 993, useTls: true },
  },
} as const
const USUAL_SCOPES = ['openid', 'email', 'offline_access']

function oauthProviders(given: Settings): OauthProvider[] {
  const providers: OauthProvider[] = []
  for (const name of ['MICROSOFT', 'GOOGLE'] as const) {
    const clientId = given[`OAUTH_${name}_CLIENT_ID`]
    const clientSecret = given[`OAUTH_${name}_CLIENT_SECRET`]
    if (clientId === undefined || clientSecret === undefined) continue
    const { scopes, parameters, ...known } = KNOWN_PROVIDERS[name]
    providers.push({ ...known, scopes: [...scopes], parameters: { ...parameters }, clientId, clientSecret })
  }
  const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: clientId, OAUTH_CLIENT_SECRET: clientSecret } = given
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    providers.push({
      id: 'other',
      name: given.OAUTH_NAME ?? new URL(issuer).hostname,
      issuer,
      clientId,
      clientSecret,
      scopes: given.OAUTH_SCOPES?.split(/[\s,]+/).filter((scope) => scope !== '') ?? USUAL_SCOPES,
      parameters: {},
      smtp: given.OAUTH_SMTP_URL === undefined ? null : mailServerOf(new URL(given.OAUTH_SMTP_URL), 465, 587),
      imap: given.OAUTH_IMAP_URL === undefined ? null : mailServerOf(new URL(given.OAUTH_IMAP_URL), 993, 143),
    })
  }
  return providers
}

/**
 * `smtps:` is encrypted from the first byte, `smtp:` by STARTTLS; so with IMAP. Only a server on this machine may be spoken to in
 * plain text: its certificate would prove nothing.
 */
function mailServerOf(url: URL, encryptedPort: number, plainPort: number): MailServer {
  const isEncrypted = url.protocol.endsWith('s:')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isEncrypted ? encryptedPort : plainPort) : Number(url.port)
  return { host, port, useTls: isEncrypted || !LOOPBACK.has(host) }
}

function systemSmtpOf(url: URL): SystemSmtp {
  const username = decodeURIComponent(url.username)
  return {
    ...mailServerOf(url, 465, 587),
    username,
    password: decodeURIComponent(url.password),
    from: url.searchParams.get('from') ?? (username.includes('@') ? username : null),
  }
}

/** The usual addresses of model servers on a person's own machine. */
const BESIDE = [
  { name: 'Ollama', baseUrl: 'http://localhost:11434/v1' },
  { name: 'LM Studio', baseUrl: 'http://localhost:1234/v1' },
  { name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1' },
]

function ownModelsOf(given: Settings, isLocal: boolean) {
  const ofInstance = given.AI_BASE_URL === undefined ? null : new URL(given.AI_BASE_URL)
  const portOfInstance =
    ofInstance === null ? 443 : Number(ofInstance.port) || (ofInstance.protocol === 'https:' ? 443 : 80)
  return {
    allowPrivateHosts: isLocal,
    ports: new Set([443, portOfInstance, ...(given.AI_PORTS?.split(',').map(Number) ?? [])]),
    /** Model servers that are looked for beside Howl, where it runs on a person's own machine. */
    beside: isLocal ? BESIDE.filter(({ baseUrl }) => Number(new URL(baseUrl).port) !== given.PORT) : [],
  }
}

function shape(given: Settings) {
  const extraPorts = given.MAIL_PORTS?.split(',').map(Number) ?? []
  const host = given.HOST.includes(':') ? `[${given.HOST}]` : given.HOST
  const publicUrl = given.PUBLIC_URL ?? `http://${host === '127.0.0.1' ? 'localhost' : host}:${given.PORT}`
  // Behind a proxy HOST is loopback too: outsiders arrive by PUBLIC_URL.
  const isLocal = LOOPBACK.has(given.HOST) && isOnThisMachine(publicUrl)
  return {
    version: VERSION,
    port: given.PORT,
    host: given.HOST,
    dataDir: path.resolve(given.DATA_DIR),
    databaseUrl: given.DATABASE_URL ?? null,
    publicUrl: publicUrl.replace(/\/+$/, ''),
    /** By IMAP host: the name that this server signs its Authentication-Results with. */
    authservIds: new Map(
      given.AUTHSERV_IDS?.toLowerCase()
        .split(/\s*,\s*/)
        .map((pair) => pair.split('=') as [string, string]),
    ),
    /** Addresses and networks whose X-Forwarded-For is trusted. */
    trustedProxies: [...LOOPBACK_NETS, ...(given.TRUSTED_PROXIES?.split(/\s*,\s*/) ?? [])],
    secretKey: given.SECRET_KEY ?? null,
    model:
      given.AI_BASE_URL === undefined || given.AI_MODEL === undefined
        ? null
        : { baseUrl: given.AI_BASE_URL, apiKey: given.AI_API_KEY ?? null, name: given.AI_MODEL },
    /** Where a user's own model may be. */
    ownModels: ownModelsOf(given, isLocal),
    /** Tokens that one bulk run may spend on the language model. */
    modelTokensPerRun: given.AI_RUN_TOKENS,
    /** What models cost, the longest name first. */
    modelPrices: given.AI_PRICES ?? [],
    /** AI requests to the instance's model a day: of one user, and of all together; null: any number. */
    modelDailyCap: { user: given.AI_DAILY_CAP ?? null, total: given.AI_DAILY_CAP_TOTAL ?? null },
    mail: {
      allowPrivateHosts: given.ALLOW_PRIVATE_MAIL_HOSTS ?? isLocal,
      ports: new Set([...MAIL_PORTS, ...extraPorts]),
    },
    rateLimits: given.RATE_LIMITS,
    /** What hashing a password costs. No setting changes it: only tests, which open accounts by the thousand, do. */
    passwordCost: PASSWORD_COST,
    /** How long a loop pauses that is to run every so many milliseconds. No setting changes it: only tests, which wait for loops, do. */
    loopPause: (everyMs: number) => everyMs,
    /** Off: every user has what the largest plan has. */
    planLimits: given.PLAN_LIMITS,
    /** Accounts that are connected from now on begin with few automatic mails a day. */
    warmUp: given.WARM_UP,
    /** Where people connect their mailbox by signing in, instead of by a password. */
    oauth: oauthProviders(given),
    /** The server that mails from Howl itself leave by; null: the practice server. */
    systemSmtp: given.SYSTEM_SMTP_URL === undefined ? null : systemSmtpOf(new URL(given.SYSTEM_SMTP_URL)),
    /** Where large mails are kept. */
    blobsDir:
      given.BLOBS_URL === undefined ? path.resolve(given.DATA_DIR, 'blobs') : fileURLToPath(given.BLOBS_URL),
    communityUrl: given.COMMUNITY_URL ?? null,
    /** The service that exchange rates come from; null: none is asked. */
    exchangeRatesUrl: given.EXCHANGE_RATES_URL === 'off' ? null : given.EXCHANGE_RATES_URL,
    logLevel: given.LOG_LEVEL,
    /** Days that the activity log is kept. */
    activityDays: given.ACTIVITY_DAYS,
    /** Name servers that the checks ask; null: those of this machine. */
    dnsServers: given.DNS_SERVERS?.split(',').map((server) => server.trim()) ?? null,
    /** Who names this token may read /metrics; null: nobody. `port`: where a process that is only a worker shows them. */
    metrics:
      given.METRICS_TOKEN === undefined
        ? null
        : { token: given.METRICS_TOKEN, port: given.METRICS_PORT ?? null },
    clockOffsetSeconds: given.CLOCK_OFFSET,
    /** An administrator who is made, or gets this password, at each start. */
    administrator:
      given.ADMIN_EMAIL === undefined || given.ADMIN_PASSWORD === undefined
        ? null
        : { email: given.ADMIN_EMAIL, password: given.ADMIN_PASSWORD },
    /** What the log-in for administrators asks for first; null: Howl makes two codes of its own. */
    accessCodes: given.ADMIN_ACCESS_CODES === undefined ? null : codesIn(given.ADMIN_ACCESS_CODES),
  }
}
