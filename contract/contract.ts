import { auth } from './auth.ts'
import { contacts } from './contacts.ts'
import { emails } from './emails.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { health } from './health.ts'
import { mailboxes } from './mailboxes.ts'
import { meetings } from './meetings.ts'
import { outreach } from './outreach.ts'
import { profile } from './profile.ts'
import { todos } from './todos.ts'

const domains = { auth, profile, contacts, mailboxes, emails, outreach, meetings, todos, events, health }

/** Every call that Howl promises, by its name (`contacts.list`): what the sweep over all routes reads. */
export const CONTRACT: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(domains).flatMap(([domain, calls]) =>
    Object.entries(calls).map(([name, call]): [string, Endpoint] => [`${domain}.${name}`, call as Endpoint]),
  ),
)
