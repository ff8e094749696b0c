import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { call } from './client.ts'
import type { TestUser } from './factories.ts'
import { anInvoice } from './invoices.ts'
import type { SmtpSink } from './smtp-sink.ts'
import { makeSearchable } from './stored-mails.ts'
import type { TestApp } from './test-app.ts'
import { connectWriter, receive, sendAs } from './writing.ts'

/** A Wednesday morning in Berlin. */
export const BUSINESS_NOW = new Date('2027-01-13T09:00:00Z')
export const BUSINESS_ZONE = 'Europe/Berlin'

const PEOPLE = [
  { name: 'Ann Lee', email: 'ann@acme.example', company: 'Acme', position: 'Buyer', phone: '+49 30 1234567' },
  { name: 'Bob Stone', email: 'bob@stone.example', company: 'Stone Ltd' },
  { name: 'Carla Diaz', email: 'carla@diaz.example', company: 'Diaz Events' },
  { name: 'Dan Brown', email: 'dan@brown.example', company: 'Brown Hotels' },
  { name: 'Eva Green', email: 'eva@green.example', company: 'Green Cafe' },
  { name: 'Finn Olsen', email: 'finn@olsen.example', company: 'Olsen Fish' },
  { name: 'Gita Rao', email: 'gita@rao.example', company: 'Rao Spices' },
  { name: 'Hugo Blanc', email: 'hugo@blanc.example', company: 'Blanc Wines' },
  { name: 'Jack Ward', email: 'jack@ward.example', company: 'Ward Tents' },
  { name: 'Kim Novak', email: 'kim.novak@film.example', company: 'Film Crew' },
  { name: 'Kim Basin', email: 'kim.basin@lake.example', company: 'Lake House' },
]

export type Business = {
  user: TestUser
  people: Map<string, number>
  tasks: Map<string, number>
  mails: Map<string, number>
}

/** A caterer with contacts, mails, meetings, tasks and invoices, at {@link BUSINESS_NOW}. The app's clock is set. */
export async function seedBusiness(app: TestApp, sink: SmtpSink): Promise<Business> {
  app.clock.stand()
  app.clock.forward(BUSINESS_NOW.getTime() - app.clock.now().getTime())
  const user = await connectWriter(app, sink)
  const { token } = user
  const good = async <T extends { status: number; error: { detail: string } }>(
    asked: Promise<T>,
  ): Promise<T> => {
    const answer = await asked
    if (answer.status !== 200) throw new Error(answer.error.detail)
    return answer
  }
  const people = new Map<string, number>()
  for (const body of PEOPLE)
    people.set(body.name, (await good(call(app.url, contacts.add, { token, body }))).body.id)
  const sent = new Map<string, string>()
  for (const name of ['Ann Lee', 'Bob Stone', 'Carla Diaz', 'Dan Brown', 'Eva Green', 'Finn Olsen']) {
    const to = PEOPLE.find((each) => each.name === name)?.email ?? ''
    await good(
      sendAs(app, user, {
        to,
        subject: `Catering for ${name}`,
        content: `Hello ${name},\n\nour menu for the season.`,
      }),
    )
    sent.set(
      name,
      /^Message-ID: <(.+)>/im.exec(sink.received.at(-1)?.raw.toString('latin1') ?? '')?.[1] ?? '',
    )
    app.clock.forward(1000)
  }
  const answers: [string, string, string][] = [
    ['Ann Lee', 'ann@acme.example', 'Sounds great, please send me the details of the spring menu.'],
    ['Bob Stone', 'bob@stone.example', 'What does it cost per month?'],
    ['Carla Diaz', 'carla@diaz.example', 'No thanks, we are not interested.'],
  ]
  const mails = new Map<string, number>()
  for (const [name, from, words] of answers)
    mails.set(
      name,
      await receive(
        app,
        user,
        `From: ${name} <${from}>\nTo: ada@muster.example\nSubject: Re: Catering for ${name}\nMessage-ID: <re-${from}>\nIn-Reply-To: <${sent.get(name)}>\nReferences: <${sent.get(name)}>\n\n${words}\n`,
      ),
    )
  mails.set(
    'Gita Rao',
    await receive(
      app,
      user,
      'From: Gita Rao <gita@rao.example>\nTo: ada@muster.example\nSubject: Saffron delivery\nMessage-ID: <saffron@rao.example>\n\nThe saffron arrives on Monday. Please keep somebody at the door.\n',
    ),
  )
  const jack = people.get('Jack Ward') ?? 0
  await good(call(app.url, contacts.stopMailing, { token, body: { ids: [jack] } }))
  const meet = (title: string, start: string, end: string, attendees: string[]) =>
    good(
      call(app.url, meetings.add, {
        token,
        body: { title, start_time: start, end_time: end, type: 'phone', attendees },
      }),
    )
  await meet('Team call', '2027-01-13T15:00:00Z', '2027-01-13T15:30:00Z', [])
  await meet('Menu tasting', '2027-01-14T09:00:00Z', '2027-01-14T10:00:00Z', ['ann@acme.example'])
  await meet('Contract call', '2027-01-15T13:00:00Z', '2027-01-15T14:00:00Z', ['bob@stone.example'])
  const tasks = new Map<string, number>()
  for (const [title, due] of [
    ['Send the menu to Ann', '2027-01-13'],
    ['Pay the rent', '2027-01-12'],
    ['Order plates', '2027-01-15'],
    ['Call the bank', ''],
    ['Buy stamps', '2027-01-10'],
  ] as const)
    tasks.set(
      title,
      (await good(call(app.url, todos.add, { token, body: { title, due_date: due } }))).body.id,
    )
  await good(call(app.url, todos.toggle, { token, params: { id: tasks.get('Buy stamps') ?? 0 } }))
  for (const [contact, due, price] of [
    ['Ann Lee', '2027-01-05', '500'],
    ['Bob Stone', '2027-02-01', '1200'],
  ] as const) {
    const made = await good(
      call(app.url, invoices.add, {
        token,
        body: anInvoice({
          currency: 'EUR',
          convert: false,
          issue_date: '2026-12-20',
          due_date: due,
          contact_id: people.get(contact) ?? 0,
          buyer: { name: contact, business_name: PEOPLE.find(({ name }) => name === contact)?.company ?? '' },
          items: [{ description: 'Catering', quantity: '1', unit_price: price }],
          discount: '',
        }),
      }),
    )
    await good(call(app.url, invoices.issue, { token, params: { id: made.body.id } }))
  }
  await makeSearchable(app, user.id)
  return { user, people, tasks, mails }
}

/** Asks Wolfy in the zone of the business. */
export const askWolfy = (app: TestApp, { token }: { token: string }, message: string, more: object = {}) =>
  call(app.url, assistant.chat, {
    token,
    body: { message, ...more },
    headers: { 'X-User-Timezone': BUSINESS_ZONE },
  })
