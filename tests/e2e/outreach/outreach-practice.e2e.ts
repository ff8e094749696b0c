import { emails } from '#contract/mail/emails.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, newUser } from '../../support/e2e.ts'
import { test } from '../../support/moving-clock.ts'
import * as story from '../../support/outreach-story.ts'

// The same story as over real servers, in German and in the practice mailbox: invented people answer, and nothing leaves Howl.

const GERMAN: story.About = {
  offer: 'Wir pflegen die Gärten kleiner Betriebe.',
  audience: 'alle, die eine Terrasse haben',
  benefit: 'Ihre Gäste sitzen ab April im Grünen.',
  proof: 'Das Hotel Sonne arbeitet seit 2019 mit uns.',
  ask: 'Darf ich vorbeikommen und sie mir ansehen?',
  tone: 'Plain',
  language: 'Deutsch',
  signature: 'Lena Vogt\nVogt Gärten',
}

/** Everything sent so far, as "whom: subject". */
async function sent(url: string, { token }: E2eUser) {
  const { body } = await call(url, emails.list, { token, query: { folder: 'sent', limit: 50 } })
  return body.map(({ to, subject, content, id }) => ({ to, subject, content, id }))
}

test('in the practice mailbox, from an empty account to the second follow-up and a sequence', async ({
  page,
  house,
}) => {
  test.setTimeout(300_000)
  const user = await newUser(page, { name: 'Lena Vogt' })
  await story.logIn(page, user)
  await story.tellAboutYou(page, GERMAN)
  const steps = story.region(page, 'Next steps')
  await steps.getByRole('button', { name: 'Use the practice mailbox' }).click()
  await expect(steps.getByRole('listitem').first()).toContainText('Practice mailbox')
  await story.bringContacts(page)
  const question = await story.seeFirstMails(page, {
    mailbox: 'Practice mailboxNothing leaves Howl. Invented people answer.',
    offer: GERMAN.offer,
    greetings: {
      'Ana Ruiz': 'Guten Tag Ana,',
      'Dr. Ana Kovač': 'Guten Tag Ana,',
      'Schäfer Logistik GmbH': 'Guten Tag,',
      Info: 'Guten Tag,',
      'Ben Ott': 'Guten Tag Ben,',
    },
    optOut: 'Sie möchten keine solchen E-Mails?',
  })
  await story.changeAndSend(page, question, {
    subject: 'Ihr Wartezimmer',
    text: 'Guten Tag Frau Dr. Kovač,\n\nIhr Wartezimmer blickt auf einen Hof. Darf ich Ihnen zeigen, was dort wachsen könnte?\n\nLena Vogt',
  })
  const first = await sent(house.url, user)
  expect(first).toHaveLength(6)
  expect(first.map(({ to }) => to)).not.toContain('ben+silent@ott.example')
  expect(first.filter(({ to }) => to.startsWith('kovac'))).toMatchObject([
    { subject: 'Ihr Wartezimmer', content: expect.stringContaining('Ihr Wartezimmer blickt auf einen Hof.') },
  ])

  // The company opens the link below the mail, and asks for no more.
  const office = first.find(({ to }) => to.startsWith('office'))?.id ?? 0
  const whole = await call(house.url, emails.get, { token: user.token, params: { id: office } })
  const link = /http\S+\/unsubscribe\/\S+/.exec(whole.body.content)?.[0] ?? ''
  const theirs = await page.context().newPage()
  await theirs.goto(link)
  await expect(theirs.getByRole('main')).toContainText('stop writing to office+silent@schaefer.example?')
  await theirs.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(theirs.getByRole('main')).toContainText(
    'will not write to office+silent@schaefer.example any more.',
  )
  await theirs.close()

  await story.switchFollowUpsOn(page)
  await story.seeAnswerCounted(page)
  await page.goto('/outreach/follow-ups')
  await story.seeWhoIsNext(page, house.now(), 1)

  await house.goOn(page, 3, '10:00')
  await story.seeFollowUpsSent(page, house.now())
  await story.seeWhoIsNext(page, house.now(), 2)
  await house.goOn(page, 3, '10:00')
  await story.seeFollowUpsSent(page, house.now())
  await story.seeWhoIsNext(page, house.now(), 3)
  const followUps = (await sent(house.url, user)).slice(0, -6)
  expect(followUps.map(({ to }) => to).toSorted()).toEqual(
    ['info', 'info', 'joerg', 'joerg', 'kovac', 'kovac'].map((name) => expect.stringMatching(`^${name}`)),
  )
  for (const { subject } of followUps) expect(subject).toMatch(/^Re: /)
  await story.seeWhy(page, 'Ana Ruiz', [
    'Howl sent a personal first email on',
    /They replied on .*\. Automatic mail stops at a reply: now it is your turn\./,
    'Nothing is planned.',
  ])
  await story.seeWhy(page, 'Schäfer Logistik GmbH', [
    'They have unsubscribed, so Howl sends them nothing any more.',
    'Nothing is planned.',
  ])

  await story.makeSequence(page)
  await story.startSequence(page)
  await story.seeSequenceRun(page)
})
