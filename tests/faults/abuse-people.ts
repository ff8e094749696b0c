import { runSql } from '#server/platform/database/transaction.ts'
import type { Behaviour, Person, World } from './abuse-days.ts'

// How people behave: honest users with very different habits, and abusers.

const upTo = (person: Person, most: number) => Math.floor(person.random() * (most + 1))
const chance = (person: Person, of: number) => person.random() < of

/** An account of somebody who works with it: long known, or opened lately and confirmed. */
async function settle(person: Person, world: World): Promise<void> {
  if (chance(person, 0.7)) await world.openLongAgo(person)
  else {
    await world.open(person)
    await world.confirm(person)
  }
  person.list = world.strangers(person, 40)
  await world.contacts(person, person.list.slice(0, 30))
}

/** A few log-ins, sometimes with the wrong password first, and a few mails of one's own words. */
async function workADay(person: Person, world: World): Promise<void> {
  const { random } = person
  if (world.hour() < 6 || world.hour() > 18) return
  if (random() < 0.3) {
    for (let n = upTo(person, 4) - 2; n > 0; n--) await world.note('log_in_failed', person)
    await world.note('log_in', person)
  }
  if (random() < 0.5) {
    const known = person.list.filter(() => random() < 0.05)
    const to = [...known, ...world.strangers(person, upTo(person, 2))]
    await world.send(person, { to, purpose: 'compose', bounced: 0.03, replied: 0.3 })
  }
}

const minutesAfter = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)
const CALL = 'GET /api/v1/contacts/'

const onDay = (world: World, day: number, hour = 9) => world.day() === day && world.hour() === hour

const quiet: Behaviour = { kind: 'writes a few mails a day', begin: settle, act: workADay }

const dropout: Behaviour = {
  kind: 'opens an account and never comes back',
  begin: (person, world) => world.open(person),
  act: async () => {},
}

const newsletter: Behaviour = {
  kind: 'newsletter once a week, 2 % bounces',
  begin: async (person, world) => {
    await world.openLongAgo(person)
    person.list = world.strangers(person, 2000 * world.share, 0.1)
    await world.contacts(person, person.list)
  },
  act: async (person, world) => {
    await workADay(person, world)
    if (world.day() % 7 === 1 && world.hour() === 9)
      await world.send(person, { to: person.list, bounced: 0.02, complained: 0.0004, replied: 0.004 })
  },
}

const largeList: Behaviour = {
  kind: '5,000 mails a day to the own list',
  begin: async (person, world) => {
    await world.openLongAgo(person)
    person.list = world.strangers(person, 5000 * world.share, 0.15)
  },
  act: async (person, world) => {
    if (world.hour() === 9)
      await world.send(person, { to: person.list, bounced: 0.003, complained: 0.0002, replied: 0.002 })
  },
}

const importer: Behaviour = {
  kind: 'imports 50,000 contacts and mails 2,000 a day',
  begin: async (person, world) => {
    await world.open(person)
    await world.confirm(person)
  },
  act: async (person, world) => {
    await workADay(person, world)
    if (onDay(world, 1)) await world.imports(person, 50_000)
    if (world.day() >= 2 && world.hour() === 9)
      await world.send(person, {
        to: world.strangers(person, 2000 * world.share, 0.3),
        bounced: 0.035,
        noDomain: 0.005,
        complained: 0.0003,
        replied: 0.015,
      })
  },
}

const forgetful: Behaviour = {
  kind: 'forgets the password ten times',
  begin: settle,
  act: async (person, world) => {
    await workADay(person, world)
    if (world.day() % 3 !== 1 || world.hour() !== 9) return
    for (let n = 0; n < 10; n++) await world.note('log_in_failed', person)
    // Mistyped the name too.
    for (let n = 0; n < 4; n++) await world.note('log_in_failed', person, { user: null })
    await world.note('password_reset_requested', person)
    for (let n = 0; n < 4; n++) await world.note('password_reset_failed', person, { detail: 'code' })
    await world.note('password_changed', person)
    await world.note('log_in', person)
  },
}

const OFFICE = '51.15.7.10'

const office: Behaviour = {
  kind: 'one of many behind one office address',
  begin: async (person, world) => {
    person.ip = OFFICE
    await world.open(person)
    await world.confirm(person)
    await world.note('profile_changed', person)
  },
  act: async (person, world) => {
    if (world.hour() === 9 && chance(person, 0.3)) await world.note('log_in_failed', person)
    await workADay(person, world)
  },
}

const traveller: Behaviour = {
  kind: 'travels, each day another network',
  begin: settle,
  act: async (person, world) => {
    person.ip = `90.${world.day()}.${person.index}.4`
    await workADay(person, world)
  },
}

const badWeek: Behaviour = {
  kind: 'a bad week of bounces after an old import',
  begin: settle,
  act: async (person, world) => {
    await workADay(person, world)
    if (onDay(world, 3)) await world.imports(person, 900)
    if (world.day() >= 4 && world.day() <= 8 && world.hour() === 9)
      await world.send(person, {
        to: world.strangers(person, 180, 0.2),
        refused: 0.08,
        bounced: 0.1,
        replied: 0.03,
      })
    if (world.day() > 8 && world.hour() === 9)
      await world.send(person, { to: world.strangers(person, 20), bounced: 0.03, replied: 0.05 })
  },
}

const inviter: Behaviour = {
  kind: 'invites eight friends, two never confirm',
  begin: async (person, world) => {
    await settle(person, world)
    await codeOf(person, world)
  },
  act: async (person, world) => {
    await workADay(person, world)
    if (world.hour() !== 9) return
    if (person.others.length < 8) {
      const friend = anotherOf(person, `80.${person.index}.${person.others.length}.9`)
      await world.open(friend, { code: code(person) })
      if (person.others.length % 4 !== 3) await world.confirm(friend)
      await world.note('profile_changed', friend)
      await invite(person, world, 2, 0.2)
    }
    for (const friend of person.others) if (chance(friend, 0.4)) await world.note('log_in', friend)
  },
}

const orders: Behaviour = {
  kind: 'confirms 150 orders a day with the same words',
  begin: async (person, world) => {
    await world.openLongAgo(person)
  },
  act: async (person, world) => {
    if (world.hour() !== 12) return
    const to = world.strangers(person, 150)
    await world.contacts(person, to)
    const text = () => 'Thank you for your order. It is packed now and leaves our house tomorrow morning.'
    await world.send(person, { to, purpose: 'compose', text, bounced: 0.01, replied: 0.02 })
  },
}

const glitch: Behaviour = {
  kind: 'a script that calls too often for an hour',
  begin: settle,
  act: async (person, world) => {
    await workADay(person, world)
    if (!onDay(world, 2, 12)) return
    for (let n = 0; n < 70; n++)
      await world.noteAt(minutesAfter(world.now(), n), 'limit_reached', person, CALL)
  },
}

const firstCampaign: Behaviour = {
  kind: 'first campaign of 3,500 on the second day',
  begin: async (person, world) => {
    await world.open(person)
    await world.confirm(person)
  },
  act: async (person, world) => {
    await workADay(person, world)
    if (onDay(world, 1)) {
      await world.imports(person, 3500)
      await world.send(person, {
        to: world.strangers(person, 3500, 0.45),
        bounced: 0.04,
        complained: 0.0005,
        replied: 0.015,
      })
    }
  },
}

const unlucky: Behaviour = {
  kind: '150 mails, three complaints',
  begin: settle,
  act: async (person, world) => {
    await workADay(person, world)
    if (onDay(world, 2)) {
      const to = world.strangers(person, 150)
      await world.send(person, { to: to.slice(3), bounced: 0.04, replied: 0.04 })
      await world.send(person, { to: to.slice(0, 3), complained: 1 })
    }
  },
}

const administrator: Behaviour = {
  kind: 'administrator who mistypes the access code 15 times',
  begin: async (person, world) => {
    await world.open(person, { isAdmin: true })
    await world.confirm(person)
  },
  act: async (person, world) => {
    await workADay(person, world)
    if (world.hour() !== 9 || world.day() % 4 !== 2) return
    for (let n = 0; n < 15; n++) await world.note('admin_code_failed', person, { user: null })
    await world.note('log_in', person)
  },
}

/** Honest users and how many of them there are of each kind. */
export const CROWD: readonly { behaviour: Behaviour; share: number }[] = [
  { behaviour: newsletter, share: 0.03 },
  { behaviour: largeList, share: 0.005 },
  { behaviour: importer, share: 0.005 },
  { behaviour: forgetful, share: 0.03 },
  { behaviour: office, share: 0.15 },
  { behaviour: traveller, share: 0.03 },
  { behaviour: badWeek, share: 0.03 },
  { behaviour: inviter, share: 0.02 },
  { behaviour: orders, share: 0.01 },
  { behaviour: glitch, share: 0.02 },
  { behaviour: firstCampaign, share: 0.02 },
  { behaviour: unlucky, share: 0.02 },
  { behaviour: administrator, share: 0.005 },
  { behaviour: dropout, share: 0.05 },
  { behaviour: quiet, share: 1 },
]

function anotherOf(person: Person, ip: string): Person {
  const other = { ...person, id: 0, ip, sent: 0, list: [], others: [], memory: {} }
  person.others.push(other)
  return other
}

const code = ({ id }: Person) => `CODE${id}`

async function codeOf(person: Person, world: World): Promise<void> {
  await runSql(world.app.context.db, 'INSERT INTO referral_codes (user_id, code) VALUES ($1, $2)', [
    person.id,
    code(person),
  ])
}

/** Invitations, as they stand once their mails have left: a share came back, some of the rest are opened. */
async function invite(
  person: Person,
  world: World,
  count: number,
  failed: number,
  opened = 0.5,
): Promise<void> {
  for (const address of world.strangers(person, count)) {
    const hasFailed = chance(person, failed)
    await runSql(
      world.app.context.db,
      `INSERT INTO referral_invitations (user_id, email, inbox, status, token_signature, created_at, failed_at)
       VALUES ($1, $2, $2, $3, $2, $4, $5)`,
      [
        person.id,
        address,
        hasFailed ? 'pending' : chance(person, opened) ? 'opened' : 'sent',
        world.now(),
        hasFailed ? world.now() : null,
      ],
    )
  }
}

async function newAccount(person: Person, world: World): Promise<void> {
  await world.open(person)
  await world.confirm(person)
}

/** Whom passwords are tried on. */
const victims = (world: World) => world.people.filter(({ behaviour }) => behaviour.isAbuser !== true)

/** The people who abuse a Howl, one of each kind. */
export const ABUSERS: readonly Behaviour[] = [
  {
    kind: 'tries passwords on other accounts',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (world.hour() % 6 !== 0) return
      await world.note('log_in', person)
      // More than these a limit stops.
      for (let n = 0; n < 4; n++) {
        const whose = victims(world)[upTo(person, victims(world).length - 1)]
        await world.note('log_in_failed', person, { user: whose?.id ?? null })
      }
    },
  },
  {
    kind: 'guesses access codes and reset codes',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (world.hour() % 6 !== 3) return
      await world.note('log_in', person)
      await world.note('admin_code_failed', person, { user: null })
      await world.note('admin_code_failed', person, { user: null })
      const whose = victims(world)[upTo(person, victims(world).length - 1)]
      await world.note('password_reset_failed', person, { user: whose?.id ?? null, detail: 'code' })
    },
  },
  {
    kind: 'opens account after account',
    isAbuser: true,
    begin: (person, world) => world.open(person),
    act: async (person, world) => {
      if (world.hour() % 6 !== 0) return
      await world.open(anotherOf(person, person.ip.replace(/\d+$/, String(20 + person.others.length))))
    },
  },
  {
    kind: 'mails a dead list',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (world.hour() === 9)
        await world.send(person, {
          to: world.strangers(person, 1500, 0.1),
          refused: 0.15,
          bounced: 0.3,
          replied: 0.01,
        })
    },
  },
  {
    kind: 'mails people who complain',
    isAbuser: true,
    begin: (person, world) => world.openLongAgo(person),
    act: async (person, world) => {
      if (world.hour() === 9)
        await world.send(person, {
          to: world.strangers(person, 1200),
          bounced: 0.05,
          complained: 0.012,
          replied: 0.01,
        })
    },
  },
  {
    kind: 'a stolen account sends 20,000 at once',
    isAbuser: true,
    begin: async (person, world) => {
      await world.openLongAgo(person)
      person.list = world.strangers(person, 40)
    },
    act: async (person, world) => {
      if (world.day() < 3) return workADay(person, world)
      if (world.hour() === 3)
        await world.send(person, {
          // Enough to be a burst.
          to: world.strangers(person, Math.max(6000, 20_000 * world.share)),
          refused: 0.05,
          bounced: 0.12,
          complained: 0.004,
        })
    },
  },
  {
    kind: 'mails a bought list',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (onDay(world, 0, 6)) await world.imports(person, 8000)
      if (world.hour() === 9)
        await world.send(person, {
          to: world.strangers(person, 1000, 0.6),
          bounced: 0.1,
          noDomain: 0.035,
          complained: 0.0008,
          replied: 0.001,
        })
    },
  },
  {
    kind: 'the same words by hand to many strangers',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (world.hour() < 9 || world.hour() > 18) return
      const text = (address: string) =>
        `Dear ${address.split('@')[0]}, we found your website and can bring it to the first page of every search engine for a small price, answer today. Offer ${upTo(person, 999)}.`
      await world.send(person, {
        to: world.strangers(person, 90),
        purpose: 'compose',
        text,
        bounced: 0.04,
        replied: 0.002,
      })
    },
  },
  {
    kind: 'a program that calls over every limit',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      for (let n = 0; n < 120; n++)
        await world.noteAt(minutesAfter(world.now(), n), 'limit_reached', person, CALL)
    },
  },
  {
    kind: 'invites strangers day after day',
    isAbuser: true,
    begin: newAccount,
    act: async (person, world) => {
      if (world.hour() === 9) await invite(person, world, 20, 0.6, 0.05)
    },
  },
  {
    kind: 'farms credits with friends who are none',
    isAbuser: true,
    begin: async (person, world) => {
      await newAccount(person, world)
      await codeOf(person, world)
    },
    act: async (person, world) => {
      if (world.hour() % 6 !== 0) return
      const friend = anotherOf(person, person.ip.replace(/\d+$/, String(20 + person.others.length)))
      await world.open(friend, { code: code(person) })
      // A catch-all address confirms, but nobody works with the account.
      await world.confirm(friend)
    },
  },
]
