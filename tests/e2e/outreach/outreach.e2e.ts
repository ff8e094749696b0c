import PostalMime from 'postal-mime'
import { connectMailbox } from '../../support/connect-mailbox.ts'
import { expect, newUser } from '../../support/e2e.ts'
import { type MailServers, startMailServers, testMail } from '../../support/mail-servers.ts'
import { test } from '../../support/moving-clock.ts'
import * as story from '../../support/outreach-story.ts'
import type { SinkMail } from '../../support/smtp-sink.ts'

// From the first word about oneself to the first follow-up, and a sequence after it: as a new shop owner goes through it.

const LOGIN = { address: 'lena@gardens.example', login: 'lena', password: 'open sesame' }

const ENGLISH: story.About = {
  offer: 'We look after the gardens of small businesses.',
  audience: 'everybody with a terrace',
  benefit: 'Your guests sit in the green from April on.',
  proof: 'Hotel Sonne has worked with us since 2019.',
  ask: 'May I come by and look at it?',
  tone: 'Friendly',
  language: 'English',
  signature: 'Lena Vogt\nVogt Gardens',
}

const missing = (name: string): never => {
  throw new Error(`No mail to ${name}`)
}

let servers: MailServers

test.beforeAll(async () => void (servers = await startMailServers({ users: { lena: LOGIN.password } })))
test.afterAll(() => servers?.stop())

test('over real servers, from an empty account to the first follow-up and a sequence', async ({
  page,
  house,
}) => {
  const user = await newUser(page, { name: 'Lena Vogt' })
  await story.logIn(page, user)
  await story.tellAboutYou(page, ENGLISH)
  await connectMailbox(page, servers, LOGIN)
  await story.bringContacts(page)
  const question = await story.seeFirstMails(page, {
    mailbox: `${LOGIN.address}Through 127.0.0.1. These are real emails to real people.`,
    offer: ENGLISH.offer,
    greetings: {
      'Ana Ruiz': 'Hi Ana,',
      'Dr. Ana Kovač': 'Hi Ana,',
      'Schäfer Logistik GmbH': 'Hello,',
      Info: 'Hello,',
      'Ben Ott': 'Hi Ben,',
    },
    optOut: 'You do not want such mail?',
  })
  expect(servers.sink.count).toBe(0)
  await story.changeAndSend(page, question, {
    subject: 'Your waiting room',
    text: 'Dear Ana,\n\nyour waiting room looks out on a yard. May I show you what could grow there?\n\nLena',
  })

  const [proof, ...first] = await arrived(6)
  expect(proof).toMatchObject({ to: LOGIN.address, subject: '[Test] Your waiting room' })
  expect(first.map(({ to }) => to).toSorted()).toEqual([
    'ana+interested@ruiz.example',
    'info+silent@fleet.example',
    'joerg+silent@mueller.example',
    'kovac+silent@praxis.example',
    'office+silent@schaefer.example',
  ])
  const mailTo = (name: string) => first.find(({ to }) => to.startsWith(name)) ?? missing(name)
  for (const mail of first) expectFairMail(mail, house.url)
  expect(mailTo('kovac')).toMatchObject({ subject: 'Your waiting room' })
  expect(mailTo('kovac').text).toMatch(/^Dear Ana,\n\nyour waiting room looks out on a yard\./)
  expect(mailTo('kovac').text).not.toContain(ENGLISH.offer)
  expect(mailTo('joerg').text).toMatch(/^Hi Jörg,\n/)
  for (const name of ['office', 'info']) expect(mailTo(name).text).toMatch(/^Hello,\n/)
  for (const name of ['ana', 'office', 'info', 'joerg'])
    for (const words of [ENGLISH.offer, ENGLISH.proof, ENGLISH.ask, ENGLISH.signature])
      expect(mailTo(name).text).toContain(words)

  await reply(mailTo('ana'), 'Yes, we are interested. Please send me your prices.', house.now())
  await unsubscribeByOneClick(mailTo('office'))
  await story.seeAnswerCounted(page)
  await story.switchFollowUpsOn(page)
  await story.seeWhoIsNext(page, house.now(), 1)

  await house.goOn(page, 3, '10:00')
  expectFollowUps((await arrived(9)).slice(6), house.url, first)
  await story.seeFollowUpsSent(page, house.now())
  await story.seeWhoIsNext(page, house.now(), 2)

  await story.seeWhy(page, 'Ana Ruiz', [
    'Howl sent a personal first email on',
    /They replied on .*\. Automatic mail stops at a reply: now it is your turn\./,
    'Nothing is planned.',
  ])
  await story.seeWhy(page, 'Dr. Ana Kovač', [
    'Howl sent a follow-up on',
    'They get at most one automatic email a day, and had one today.',
    /Mon.*: Follow-up 2 of 3 goes out if they don’t answer\./,
  ])

  await story.seeWhy(page, 'Schäfer Logistik GmbH', [
    'They have unsubscribed, so Howl sends them nothing any more.',
    'Nothing is planned.',
  ])

  await story.makeSequence(page)
  await story.startSequence(page)
  await story.seeSequenceRun(page)
  const spring = (await arrived(11)).slice(9)
  for (const mail of spring) expectFairMail(mail, house.url)
  expect(spring.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
    'ben+silent@ott.example: Spring at Ott Gardens',
    'nora+silent@lind.example: Spring at your place',
  ])
})

type Arrived = {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  inReplyTo: string
  oneClick: string
  raw: string
}

/** Everything that the server has taken once it has so many mails; it must not have more. */
async function arrived(count: number): Promise<Arrived[]> {
  await servers.sink.waitFor(count)
  expect(servers.sink.count).toBe(count)
  return Promise.all(servers.sink.received.map((mail) => readMail(mail)))
}

async function readMail({ envelope, raw }: SinkMail): Promise<Arrived> {
  const mail = await PostalMime.parse(raw)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  return {
    to: envelope.to.join(),
    subject: mail.subject ?? '',
    text: (mail.text ?? '').replaceAll('\r\n', '\n'),
    html: mail.html ?? '',
    messageId: mail.messageId ?? '',
    inReplyTo: mail.inReplyTo ?? '',
    oneClick:
      header('list-unsubscribe-post') === 'List-Unsubscribe=One-Click'
        ? (/<(http[^>]+)>/.exec(header('list-unsubscribe'))?.[1] ?? '')
        : '',
    raw: raw.toString('latin1'),
  }
}

/** A way out by one click, and nothing that tells when the mail is read. */
function expectFairMail({ oneClick, text, html, raw }: Arrived, url: string): void {
  expect(oneClick).toMatch(new RegExp(`^${url}/`))
  expect(text).toContain('You do not want such mail? http')
  expect(text).not.toMatch(/\{\{|undefined|null/)
  expect(html).not.toMatch(/<img|<link|url\(/i)
  expect(raw).not.toMatch(/Content-Type: image/i)
  // The only address in it is the way out.
  expect(text.match(/https?:\/\/\S+/g)).toHaveLength(1)
}

/** One each to the three who are silent, as an answer to the first mail. */
function expectFollowUps(mails: readonly Arrived[], url: string, first: readonly Arrived[]): void {
  expect(mails.map(({ to }) => to).toSorted()).toEqual([
    'info+silent@fleet.example',
    'joerg+silent@mueller.example',
    'kovac+silent@praxis.example',
  ])
  for (const mail of mails) {
    expectFairMail(mail, url)
    const before = first.find(({ to }) => to === mail.to)
    expect(mail.subject).toBe(`Re: ${before?.subject}`)
    expect(mail.raw).toContain(before?.messageId)
    const greeting = mail.to.startsWith('info')
      ? 'Hello,'
      : mail.to.startsWith('kovac')
        ? 'Hi Ana,'
        : 'Hi Jörg,'
    expect(mail.text.startsWith(`${greeting}\n`)).toBe(true)
  }
}

async function reply(mail: Arrived, words: string, at: Date): Promise<void> {
  const raw = testMail(
    {
      From: mail.to,
      To: LOGIN.address,
      Subject: `Re: ${mail.subject}`,
      Date: at.toUTCString(),
      'Message-ID': '<answer@ruiz.example>',
      'In-Reply-To': mail.messageId,
      References: mail.messageId,
    },
    `${words}\r\n`,
  )
  await servers.dovecot.deliver('lena', 'INBOX', raw, at)
}

/** What a mail program sends for one click (RFC 8058). */
async function unsubscribeByOneClick({ oneClick }: Arrived): Promise<void> {
  const answer = await fetch(oneClick, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(answer.status).toBe(200)
}
