import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { breaches, type Breach } from './support/architecture.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

const told = (found: Breach[]) => found.map((breach) => `${breach.file}, ${breach.target}: ${breach.rule}`)

describe('the rules of the architecture', () => {
  it('hold in every file', () => {
    expect(told(breaches(ROOT))).toEqual([])
  })
})

/** Each rule, with a file that breaks it. */
const PLANTED: [rule: string, file: string, source: string, others?: Record<string, string>][] = [
  ['contract imports only zod', 'contract/x.ts', "import pg from 'pg'"],
  ['web never imports server', 'web/x.ts', "import { a } from '#server/a.ts'"],
  ['web never imports node', 'web/x.ts', "import fs from 'node:fs'"],
  ['server never imports web', 'server/x.ts', "import { a } from '#web/a.ts'"],
  ['nothing imports tests', 'server/x.ts', "import { a } from '../tests/a.ts'"],
  ['a domain enters another by its front', 'server/emails/x.ts', "import { a } from '../contacts/store.ts'"],
  ['a domain calls only those before it', 'server/contacts/x.ts', "import { a } from '../emails/emails.ts'"],
  [
    'a room imports only the rooms below it',
    'server/emails/delivery/x.ts',
    "import { a } from '../compose/a.ts'",
  ],
  [
    'a room imports only the rooms below it',
    'server/emails/messages/x.ts',
    "import { a } from '../present.ts'",
  ],
  [
    'a room imports only the rooms below it',
    'server/emails/list/x.ts',
    "import type { A } from '../sync/a.ts'",
  ],
  ['a room imports only the rooms below it', 'web/emails/mail/x.ts', "import { a } from '../list/a.ts'"],
  ['shared ground imports no domain', 'server/http/x.ts', "import { a } from '../auth/auth.ts'"],
  ['shared ground imports no domain', 'web/ui/x.tsx', "import { a } from '#web/contacts/contacts.ts'"],
  ['one door: fastify', 'server/emails/x.ts', "import fastify from 'fastify'"],
  ['one door: kysely', 'server/emails/send.ts', "import { sql } from 'kysely'"],
  ['one door: pg-boss', 'server/emails/x.ts', "import { PgBoss } from 'pg-boss'"],
  ['one door: nodemailer', 'server/emails/x.ts', "import nodemailer from 'nodemailer'"],
  ['one door: imapflow', 'server/emails/x.ts', "import { ImapFlow } from 'imapflow'"],
  ['one door: language models', 'server/outreach/x.ts', "import { generateText } from 'ai'"],
  ['one reader of process.env', 'server/emails/x.ts', 'export const a = process.env.HOME'],
  [
    'commands know no HTTP server',
    'server/emails/send.ts',
    "import type { Server } from '../http/server.ts'",
  ],
  [
    'no cycles',
    'server/emails/a.ts',
    "import { b } from './b.ts'\nexport const a = b",
    { 'server/emails/b.ts': "import { a } from './a.ts'\nexport const b = a" },
  ],
  [
    'no cycles',
    'server/emails/a.ts',
    "import { b } from './b.ts'\nexport type A = typeof b",
    { 'server/emails/b.ts': "import type { A } from './a.ts'\nexport const b: A = 1" },
  ],
  [
    'no cycles',
    'web/ui/A.tsx',
    "export const load = () => import('./B.tsx')",
    { 'web/ui/B.tsx': "import { load } from './A.tsx'\nexport const b = load" },
  ],
  ['one way to change the address', 'web/contacts/x.ts', 'const [address, setAddress] = useSearchParams()'],
  ['no default exports', 'server/emails/x.ts', 'export default 1'],
  ['names of the domain', 'server/emails/utils.ts', 'export const a = 1'],
  ['no old words', 'server/emails/delivery/delivery-lane.ts', 'export const a = 1'],
  ['no old words', 'server/emails/delivery/x.ts', 'export const LANES_MAX = 10'],
  ['no old words', 'server/emails/delivery/x.ts', 'export function openSupply() {}'],
  ['no old words', 'server/emails/delivery/x.ts', 'export type Drain = { a: 1 }'],
  ['no old words', 'server/emails/delivery/x.ts', 'export const makeTeller = () => 1'],
  ['no old words', 'server/emails/delivery/x.ts', 'export const a = (ledger: number) => ledger'],
  ['no old words', 'server/emails/delivery/x.ts', 'export type A = { receipts: number }'],
  ['no old words', 'server/emails/delivery/x.ts', 'for (const stray of [1]) console.log(stray)'],
  ['no old words', 'server/emails/sync/x.ts', 'export async function surely() {}'],
  ['no old words', 'server/emails/sync/x.ts', 'export class StirredMails {}'],
  ['no old words', 'server/emails/sync/x.ts', 'export const { a: [twin = 1] } = { a: [] }'],
  ['no old words', 'server/emails/sync/x.ts', 'export interface A { startAnew(): void }'],
  ['no old words', 'server/emails/sync/read-window.ts', 'export const a = 1'],
  ['no old words', 'server/emails/delivery/x.ts', 'export const a = { giveBack() {} }'],
  ['no old words', 'server/emails/ingest/x.ts', "import { a as verdict } from './a.ts'"],
  ['no old words', 'web/emails/mail/x.tsx', 'export const A = ({ letter }: { a: 1 }) => <b>{letter}</b>'],
  ['no old words', 'web/emails/mail/x.tsx', 'export const MOON_CLASS = 1'],
]

describe('a planted breach is found', () => {
  it.each(PLANTED)('%s (%s)', (rule, file, source, others = {}) => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'howl-rules-'))
    try {
      for (const [name, text] of Object.entries({ [file]: source, ...others })) {
        mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
        writeFileSync(path.join(root, name), text)
      }
      expect(breaches(root).map((breach) => breach.name)).toContain(rule)
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})
