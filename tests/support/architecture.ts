import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { declaredNames } from './declared-names.ts'

export type Breach = { name: string; file: string; target: string; rule: string }

type Import = { file: string; target: string }

/** A rule: its name, what to do instead, and whether an import breaks it. */
type Rule = { name: string; instead: string; breaks: (edge: Import) => boolean }

/**
 * The groups of server, contract and web from the ground up, with the server's domains in their order: a group imports only
 * groups before it, a domain only its group's domains before it. What lies beside the groups (app.ts, routes.tsx, shell …)
 * sees all of them.
 */
const GROUPS: Record<string, readonly string[]> = {
  platform: [],
  formats: [],
  accounts: ['system-mail', 'activities', 'notifications', 'credits', 'auth', 'admin-auth', 'profile'],
  models: ['language-models', 'ai-requests'],
  crm: ['todos', 'contacts', 'contact-imports', 'meetings'],
  mail: ['mailboxes', 'emails', 'practice-mail', 'system-sender'],
  invoicing: ['tax', 'rates', 'invoices', 'invoice-mail', 'payment-reminders'],
  outreach: ['briefs', 'automatic-mail', 'templates', 'runs', 'follow-ups', 'sequences'],
  overview: ['dashboard', 'timeline', 'reminders'],
  assistant: [],
  operations: ['bans', 'leaving', 'referrals', 'abuse', 'admin', 'system-health', 'backup'],
}
const ORDER = Object.keys(GROUPS)
/**
 * The rooms of a large domain, each with the rooms that it may import. Files at the domain's root may import every room.
 * Of the root, a room imports only the files in GROUND.
 */
const ROOMS: Record<string, Record<string, readonly string[]>> = {
  'server/mail/emails': {
    messages: [],
    suppressions: ['messages'],
    actions: ['messages'],
    list: ['messages'],
    content: ['messages', 'suppressions'],
    ingest: ['intents', 'actions', 'content', 'suppressions', 'messages'],
    delivery: ['content', 'suppressions', 'messages'],
    sync: ['ingest', 'actions', 'content', 'messages'],
    compose: ['delivery', 'actions', 'content', 'suppressions', 'messages'],
    intents: ['messages', 'suppressions'],
    replies: ['compose', 'list', 'messages'],
    retention: ['compose', 'ingest', 'messages'],
  },
  'web/mail/emails': {
    mail: [],
    page: ['mail'],
    actions: ['mail'],
    list: ['actions', 'page', 'mail'],
    reading: ['actions', 'page', 'mail'],
    keyboard: ['actions', 'page', 'mail'],
  },
}
const GROUND = new Set(['server/mail/emails/tables.ts'])
const isTest = (file: string) =>
  /\.(test|e2e)\.tsx?$/.test(file) || file.startsWith('tests/') || file.startsWith('bench/')
const topOf = (file: string) => file.split('/')[0] ?? ''
/** The group that a file belongs to; undefined for what lies beside the groups. */
const groupOf = (file: string) => ORDER.find((group) => group === file.split('/')[1])
/** The domain of the server that a file belongs to, as a path. The assistant is a group of one domain. */
function domainOf(file: string): string | undefined {
  const group = groupOf(file)
  if (topOf(file) !== 'server' || group === undefined) return undefined
  if (group === 'assistant') return 'server/assistant'
  const domain = GROUPS[group]?.find((each) => file.startsWith(`server/${group}/${each}/`))
  return domain === undefined ? undefined : `server/${group}/${domain}`
}
const frontOf = (domain: string) => `${domain}/${path.posix.basename(domain)}.ts`
const rank = (domain: string) => GROUPS[groupOf(domain) ?? '']?.indexOf(path.posix.basename(domain)) ?? -1
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
    (file) =>
      file === 'server/app.ts' || file.startsWith('server/platform/http/') || baseName(file) === 'routes.ts',
  ],
  [
    /^kysely/,
    'kysely',
    (file) =>
      file.startsWith('server/platform/database/') ||
      /(^|-)store\.ts$/.test(baseName(file)) ||
      baseName(file) === 'tables.ts',
  ],
  [
    /^nodemailer/,
    'nodemailer',
    (file) => file.startsWith('server/platform/gateways/') || file === 'server/formats/mail-text/compose.ts',
  ],
  [/^imapflow$/, 'imapflow', (file) => file.startsWith('server/platform/gateways/')],
  [/^otplib$/, 'otplib', (file) => file === 'server/platform/security/app-codes.ts'],
  [/^openid-client$/, 'openid-client', (file) => file.startsWith('server/platform/gateways/')],
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
    name: 'a group imports only groups before it',
    instead: 'move what both need down, pass it in from above the groups, or use a SQL view or a live event',
    breaks: ({ file, target }) => {
      const from = groupOf(file)
      if (from === undefined || topOf(file) !== topOf(target)) return false
      const to = groupOf(target)
      return to === undefined || ORDER.indexOf(to) > ORDER.indexOf(from)
    },
  },
  {
    name: 'a domain enters another by its front',
    instead: 'import <domain>/<domain>.ts, and export there what others may use',
    breaks: ({ file, target }) => {
      const to = domainOf(target)
      return to !== undefined && domainOf(file) !== to && target !== frontOf(to)
    },
  },
  {
    name: 'a domain calls only those before it',
    instead: 'use a SQL view or a live event to look forward',
    breaks: ({ file, target }) => {
      const [from, to] = [domainOf(file), domainOf(target)]
      if (from === undefined || to === undefined || from === to || groupOf(file) !== groupOf(target))
        return false
      return rank(to) > rank(from)
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
    name: 'ui and api import only each other',
    instead: 'the design system and the calls know no page and no address: pass it in',
    breaks: ({ file, target }) => {
      const isIn = (each: string) => /^web\/platform\/(ui|api)\//.test(each)
      return isIn(file) && topOf(target) === 'web' && !isIn(target)
    },
  },
  {
    name: 'commands know no HTTP server',
    instead: 'take plain values and throw a named error; only routes.ts and fronts see requests',
    breaks: ({ file, target }) =>
      domainOf(file) !== undefined &&
      !/^([a-z]+-)?routes\.ts$/.test(baseName(file)) &&
      ['server/platform/http/server.ts', 'server/platform/http/serve.ts'].includes(target) &&
      file !== 'server/accounts/auth/sessions.ts',
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
const HAVE_NO_OLD_WORDS = ['server/mail/emails/', 'web/mail/emails/']

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
    file !== 'server/platform/config.ts' &&
    !isTest(file) &&
    /\bprocess\.env\b/.test(source)
  ) {
    add(
      'one reader of process.env',
      'process.env',
      'read settings in server/platform/config.ts and pass them in the context',
    )
  }
  if (topOf(file) === 'web' && /,\s*\w+\s*\]\s*=\s*useSearchParams\(/.test(source))
    add(
      'one way to change the address',
      "the router's setter",
      'it begins with an address that may be old: use useAddressQuery or useAddressChange of web/platform/address.ts',
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
