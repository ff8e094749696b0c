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
  [
    'a domain enters another by its front',
    'server/mail/emails/x.ts',
    "import { a } from '../../crm/contacts/store.ts'",
  ],
  [
    'a domain calls only those before it',
    'server/crm/contacts/x.ts',
    "import { a } from '../meetings/meetings.ts'",
  ],
  [
    'a group imports only groups before it',
    'server/crm/contacts/x.ts',
    "import { a } from '../../mail/emails/emails.ts'",
  ],
  ['a group imports only groups before it', 'contract/crm/x.ts', "import { a } from '../mail/emails.ts'"],
  ['a group imports only groups before it', 'web/crm/x.tsx', "import { a } from '#web/shell/AppShell.tsx'"],
  [
    'a room imports only the rooms below it',
    'server/mail/emails/delivery/x.ts',
    "import { a } from '../compose/a.ts'",
  ],
  [
    'a room imports only the rooms below it',
    'server/mail/emails/messages/x.ts',
    "import { a } from '../present.ts'",
  ],
  [
    'a room imports only the rooms below it',
    'server/mail/emails/list/x.ts',
    "import type { A } from '../sync/a.ts'",
  ],
  ['a room imports only the rooms below it', 'web/mail/emails/mail/x.ts', "import { a } from '../list/a.ts'"],
  [
    'a group imports only groups before it',
    'server/platform/http/x.ts',
    "import { a } from '../../accounts/auth/auth.ts'",
  ],
  ['ui and api import only each other', 'web/platform/ui/x.tsx', "import { a } from '../paths.ts'"],
  ['one door: fastify', 'server/mail/emails/x.ts', "import fastify from 'fastify'"],
  ['one door: kysely', 'server/mail/emails/send.ts', "import { sql } from 'kysely'"],
  ['one door: nodemailer', 'server/mail/emails/x.ts', "import nodemailer from 'nodemailer'"],
  ['one door: imapflow', 'server/mail/emails/x.ts', "import { ImapFlow } from 'imapflow'"],
  ['one reader of process.env', 'server/mail/emails/x.ts', 'export const a = process.env.HOME'],
  [
    'commands know no HTTP server',
    'server/mail/emails/send.ts',
    "import type { Server } from '../../platform/http/server.ts'",
  ],
  [
    'no cycles',
    'server/mail/emails/a.ts',
    "import { b } from './b.ts'\nexport const a = b",
    { 'server/mail/emails/b.ts': "import { a } from './a.ts'\nexport const b = a" },
  ],
  [
    'no cycles',
    'server/mail/emails/a.ts',
    "import { b } from './b.ts'\nexport type A = typeof b",
    { 'server/mail/emails/b.ts': "import type { A } from './a.ts'\nexport const b: A = 1" },
  ],
  [
    'no cycles',
    'web/platform/ui/A.tsx',
    "export const load = () => import('./B.tsx')",
    { 'web/platform/ui/B.tsx': "import { load } from './A.tsx'\nexport const b = load" },
  ],
  [
    'one way to change the address',
    'web/crm/contacts/x.ts',
    'const [address, setAddress] = useSearchParams()',
  ],
  ['no default exports', 'server/mail/emails/x.ts', 'export default 1'],
  ['names of the domain', 'server/mail/emails/utils.ts', 'export const a = 1'],
  ['no old words', 'server/mail/emails/delivery/delivery-lane.ts', 'export const a = 1'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export const LANES_MAX = 10'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export function openSupply() {}'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export type Drain = { a: 1 }'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export const makeTeller = () => 1'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export const a = (ledger: number) => ledger'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export type A = { receipts: number }'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'for (const stray of [1]) console.log(stray)'],
  ['no old words', 'server/mail/emails/sync/x.ts', 'export async function surely() {}'],
  ['no old words', 'server/mail/emails/sync/x.ts', 'export class StirredMails {}'],
  ['no old words', 'server/mail/emails/sync/x.ts', 'export const { a: [twin = 1] } = { a: [] }'],
  ['no old words', 'server/mail/emails/sync/x.ts', 'export interface A { startAnew(): void }'],
  ['no old words', 'server/mail/emails/sync/read-window.ts', 'export const a = 1'],
  ['no old words', 'server/mail/emails/delivery/x.ts', 'export const a = { giveBack() {} }'],
  ['no old words', 'server/mail/emails/ingest/x.ts', "import { a as verdict } from './a.ts'"],
  [
    'no old words',
    'web/mail/emails/mail/x.tsx',
    'export const A = ({ letter }: { a: 1 }) => <b>{letter}</b>',
  ],
  ['no old words', 'web/mail/emails/mail/x.tsx', 'export const MOON_CLASS = 1'],
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
