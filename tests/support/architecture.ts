import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { declaredNames } from './declared-names.ts'

export type Breach = { name: string; file: string; target: string; rule: string }

type Import = { file: string; target: string }

/** A rule: its name, what to do instead, and whether an import breaks it. */
type Rule = { name: string; instead: string; breaks: (edge: Import) => boolean }

/** The domains in layers: a domain imports only domains of earlier layers. */
const ORDER = [
  ['system-mail', 'activities', 'notifications'],
  ['auth'],
  [
    'admin-auth',
    'profile',
    'todos',
    'contacts',
    'mailboxes',
    'meetings',
    'tax',
    'rates',
    'credits',
    'language-models',
  ],
  ['ai-requests', 'briefs'],
  ['contact-imports', 'emails', 'invoices', 'templates'],
  ['automatic-mail'],
  ['invoice-mail', 'outreach', 'practice-mail', 'referrals', 'reminders', 'system-sender', 'timeline'],
  ['bans', 'dashboard', 'follow-ups', 'leaving', 'payment-reminders', 'sequences'],
  ['abuse', 'admin', 'assistant', 'backup', 'system-health'],
]
const DOMAINS = ORDER.flat()
const SHARED = ['http', 'database', 'jobs', 'security', 'mail', 'contact-files', 'gateways', 'worker-threads']
/**
 * The rooms of a large domain, each with the rooms that it may import. Files at the domain's root may import every room.
 * Of the root, a room imports only the files in GROUND.
 */
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  'server/emails': {
    messages: [],
    suppressions: ['messages'],
    actions: ['messages'],
    list: ['messages'],
    content: ['messages', 'suppressions'],
    ingest: ['intents', 'actions', 'content', 'suppressions', 'messages'],
    delivery: ['content', 'suppressions', 'messages'],
    sync: ['ingest', 'actions', 'content', 'messages'],
    compose: ['delivery', 'actions', 'content', 'suppressions', 'messages'],
    intents: ['messages'],
    replies: ['compose', 'list', 'messages'],
    retention: ['compose', 'ingest', 'messages'],
  },
  'web/emails': {
    mail: [],
    page: ['mail'],
    actions: ['mail'],
    list: ['actions', 'page', 'mail'],
    reading: ['actions', 'page', 'mail'],
    keyboard: ['actions', 'page', 'mail'],
  },
}
const GROUND = new Set(['server/emails/tables.ts'])
/** Files that may see every domain. */
const SEES_ALL = new Set([
  'server/app.ts',
  'server/worker.ts',
  'server/run.ts',
  'web/routes.tsx',
  'web/App.tsx',
])

const isTest = (file: string) =>
  /\.(test|e2e)\.tsx?$/.test(file) || file.startsWith('tests/') || file.startsWith('bench/')
const topOf = (file: string) => file.split('/')[0] ?? ''
const roomOf = (file: string) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '')
const domainOf = (file: string) =>
  topOf(file) === 'server' && DOMAINS.includes(roomOf(file)) ? roomOf(file) : undefined
const frontOf = (domain: string) => `server/${domain}/${domain}.ts`
const rank = (domain: string) => ORDER.findIndex((level) => level.includes(domain))
/** The domain with rooms that a file belongs to, and its room there; '' for a file at the domain's root. */
function placeInDomain(file: string): [domain?: string, room?: string] {
  const domain = Object.keys(ROOMS).find((each) => file.startsWith(`${each}/`))
  if (domain === undefined) return []
  const rest = file.slice(domain.length + 1)
  return [domain, rest.includes('/') ? (rest.split('/')[0] ?? '') : '']
}
const baseName = (file: string) => path.posix.basename(file)

/** Libraries that only some files may import, and those files. */
const DOORS: [library: RegExp, name: string, door: (file: string) => boolean][] = [
  [
    /^(@fastify\/|fastify$)/,
    'fastify',
    (file) => file === 'server/app.ts' || file.startsWith('server/http/') || baseName(file) === 'routes.ts',
  ],
  [
    /^kysely/,
    'kysely',
    (file) =>
      file.startsWith('server/database/') ||
      /(^|-)store\.ts$/.test(baseName(file)) ||
      baseName(file) === 'tables.ts',
  ],
  [/^pg-boss$/, 'pg-boss', (file) => file.startsWith('server/jobs/')],
  [
    /^nodemailer/,
    'nodemailer',
    (file) => file.startsWith('server/gateways/') || file === 'server/mail/compose.ts',
  ],
  [/^imapflow$/, 'imapflow', (file) => file.startsWith('server/gateways/')],
  [/^otplib$/, 'otplib', (file) => file === 'server/security/app-codes.ts'],
  [/^openid-client$/, 'openid-client', (file) => file.startsWith('server/gateways/')],
  [/^(ai|@ai-sdk\/.*)$/, 'language models', (file) => file.startsWith('server/gateways/')],
]

const RULES: Rule[] = [
  {
    name: 'contract imports only zod',
    instead: 'the contract is shared with the browser: keep it to zod/mini and itself',
    breaks: ({ file, target }) =>
      topOf(file) === 'contract' && topOf(target) !== 'contract' && !target.startsWith('zod'),
  },
  {
    name: 'web never imports server',
    instead: 'ask the server through a call of the contract',
    breaks: ({ file, target }) => topOf(file) === 'web' && topOf(target) === 'server',
  },
  {
    name: 'web never imports node',
    instead: 'the browser has no node: modules',
    breaks: ({ file, target }) => topOf(file) === 'web' && target.startsWith('node:'),
  },
  {
    name: 'server never imports web',
    instead: 'put what both need into contract/',
    breaks: ({ file, target }) => topOf(file) === 'server' && topOf(target) === 'web',
  },
  {
    name: 'nothing imports tests',
    instead: 'move what the product needs out of tests/',
    breaks: ({ file, target }) =>
      !isTest(file) && ['contract', 'server', 'web'].includes(topOf(file)) && topOf(target) === 'tests',
  },
  {
    name: 'a domain enters another by its front',
    instead: 'import <domain>/<domain>.ts, and export there what others may use',
    breaks: ({ file, target }) => {
      const to = domainOf(target)
      if (to === undefined) return false
      return domainOf(file) !== to && target !== frontOf(to)
    },
  },
  {
    name: 'a domain calls only those before it',
    instead: 'use a SQL view or a live event to look forward',
    breaks: ({ file, target }) => {
      const from = domainOf(file)
      const to = domainOf(target)
      return from !== undefined && to !== undefined && from !== to && rank(to) >= rank(from)
    },
  },
  {
    name: 'a room imports only the rooms below it',
    instead: 'move what both need into a room below both, or pass it in from the domain’s root',
    breaks: ({ file, target }) => {
      const [domain, room] = placeInDomain(file)
      const [toDomain, toRoom] = placeInDomain(target)
      if (domain === undefined || domain !== toDomain || !room || room === toRoom) return false
      if (!toRoom) return !GROUND.has(target)
      return !(ROOMS[domain]?.[room]?.includes(toRoom) ?? false)
    },
  },
  {
    name: 'shared ground imports no domain',
    instead: 'pass it in from app.ts, worker.ts or run.ts',
    breaks: ({ file, target }) => {
      if (SEES_ALL.has(file)) return false
      if (topOf(file) === 'server') return SHARED.includes(roomOf(file)) && domainOf(target) !== undefined
      const isShared = file.startsWith('web/ui/') || file.startsWith('web/api/')
      return isShared && topOf(target) === 'web' && !['ui', 'api'].includes(roomOf(target))
    },
  },
  {
    name: 'commands know no HTTP server',
    instead: 'take plain values and throw a named error; only routes.ts and fronts see requests',
    breaks: ({ file, target }) =>
      domainOf(file) !== undefined &&
      !/^([a-z]+-)?routes\.ts$/.test(baseName(file)) &&
      ['server/http/server.ts', 'server/http/serve.ts'].includes(target) &&
      file !== 'server/auth/sessions.ts',
  },
  ...DOORS.map(([library, name, door]): Rule => ({
    name: `one door: ${name}`,
    instead: 'use what the one place that imports this library offers',
    breaks: ({ file, target }) => topOf(file) === 'server' && library.test(target) && !door(file),
  })),
]

const BAD_NAMES = /(^|[-/])(utils?|helpers?|common|manager|service|data)(\.tsx?|\/)/

/** Old words that come back by habit, each with the word to use. They mean nothing else in these domains. */
const OLD_WORDS = (
  [
    [/lanes?/, 'connection worker, or connection limit'],
    [/supply|supplies/, 'claim buffer'],
    [/drain(s|ed|ing)?/, 'mailbox run'],
    [/tellers?/, 'progress publisher'],
    [/ledgers?/, 'settlement writer'],
    [/receipts?/, 'acceptance, or acceptance journal'],
    [/strays?/, 'leaked claim'],
    [/surely/, 'with reconnect'],
    [/stirred/, 'relocation'],
    [/twins?/, 'duplicate'],
    [/verdicts?/, 'classification'],
    [/letters?/, 'draft content'],
    [/moons?/, 'accent'],
    [/start-?anew/, 'reset UIDVALIDITY'],
    [/give-?back/, 'release'],
    [/read-?window/, 'fetch'],
  ] as const
).map(([old, use]) => [new RegExp(`(^|-)(${old.source})(-|$)`), use] as const)
const HAVE_NO_OLD_WORDS = ['server/emails/', 'web/emails/']

/** Every breach of the architecture's rules below `root`. */
export function breaches(root: string): Breach[] {
  const files = globSync('{contract,server,web,tests,bench}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const edges = files.flatMap((file) => importsOf(root, file))
  const product = edges.filter((edge) => !isTest(edge.file))
  return [
    ...product.flatMap((edge) =>
      RULES.filter((rule) => rule.breaks(edge)).map((rule) => ({
        ...edge,
        name: rule.name,
        rule: rule.instead,
      })),
    ),
    ...files.flatMap((file) => textBreaches(root, file)),
    ...cycles(product),
  ]
}

function importsOf(root: string, file: string): Import[] {
  const source = readFileSync(path.join(root, file), 'utf8')
  const found = source.matchAll(
    /(?:^|[\n;])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map((match) => ({ file, target: resolve(file, match[1] ?? match[2] ?? '') }))
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.')
    ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
    : specifier
}

function textBreaches(root: string, file: string): Breach[] {
  const found: Breach[] = []
  const source = readFileSync(path.join(root, file), 'utf8')
  const add = (name: string, target: string, rule: string) => found.push({ name, file, target, rule })
  if (
    topOf(file) === 'server' &&
    file !== 'server/config.ts' &&
    !isTest(file) &&
    /\bprocess\.env\b/.test(source)
  ) {
    add(
      'one reader of process.env',
      'process.env',
      'read settings in server/config.ts and pass them in the context',
    )
  }
  if (topOf(file) === 'web' && /,\s*\w+\s*\]\s*=\s*useSearchParams\(/.test(source))
    add(
      'one way to change the address',
      "the router's setter",
      'it begins with an address that may be old: use useAddressQuery or useAddressChange of web/address.ts',
    )
  if (!isTest(file) && /^export default /m.test(source))
    add('no default exports', 'export default', 'export by name')
  for (const [name, use] of oldWords(file, source))
    add('no old words', name, `use the glossary’s word: ${use}`)
  if (BAD_NAMES.test(file)) add('names of the domain', file, 'name the file after what it does in the domain')
  return found
}

/** Names with an old word among a file's own name and what it declares. Only a migration can rename the columns in tables.ts. */
function oldWords(file: string, source: string): [name: string, use: string][] {
  if (!HAVE_NO_OLD_WORDS.some((domain) => file.startsWith(domain)) || baseName(file) === 'tables.ts')
    return []
  const names = [baseName(file), ...declaredNames(file, source)]
  return names.flatMap((name) => {
    const words = wordsOf(name)
    return OLD_WORDS.filter(([old]) => old.test(words)).map(([, use]): [string, string] => [name, use])
  })
}

/** The words of a name in lower case, joined by hyphens: 'claim-buffer' for claimBuffer and CLAIM_BUFFER. */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase()
}

/** Import cycles. Imports of types alone and dynamic imports count: neither file can be understood without the other. */
function cycles(edges: readonly Import[]): Breach[] {
  const graph = new Map<string, string[]>()
  for (const { file, target } of edges) graph.set(file, [...(graph.get(file) ?? []), target])
  const state = new Map<string, 'open' | 'closed'>()
  const found: Breach[] = []
  const visit = (file: string, trail: readonly string[]) => {
    state.set(file, 'open')
    for (const target of graph.get(file) ?? []) {
      if (state.get(target) === 'open') {
        found.push({
          name: 'no cycles',
          file,
          target,
          rule: `break the circle ${[...trail.slice(trail.indexOf(target)), file, target].join(' → ')}`,
        })
      } else if (!state.has(target) && graph.has(target)) visit(target, [...trail, file])
    }
    state.set(file, 'closed')
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file, [])
  return found
}
