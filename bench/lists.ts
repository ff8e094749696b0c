import { signUp } from '../tests/support/factories.ts'
import { type Benchmark, duration, type Figure } from './parts/figure.ts'
import { startHowl } from './parts/howl.ts'
import { fillContacts, fillInbox, p95Of, settleTables } from './parts/lists.ts'

const MANY = 1_000_000
const FEW = 10_000
const PAGE = 50
const LAST_PAGE = MANY / PAGE
/** Searching a million rows may take a second; a few times tell enough. */
const SEARCHES = 15

/** Lists of a user with a million rows against those of one with ten thousand, in one database. */
export const lists: Benchmark = {
  name: 'lists',
  measure: async () => {
    const howl = await startHowl()
    try {
      const many = await signUp(howl.url)
      const few = await signUp(howl.url)
      for (const [user, rows] of [[many, MANY] as const, [few, FEW] as const]) {
        await fillInbox(howl, user, rows)
        await fillContacts(howl, user, rows)
      }
      await settleTables(howl)
      const inbox = `/emails/?folder=inbox&page_size=${PAGE}`
      const people = `/contacts/?page_size=${PAGE}`
      const ms = await p95Of(howl, {
        inboxFew: { user: few, path: inbox },
        inboxMany: { user: many, path: inbox },
        countsFew: { user: few, path: '/emails/counts' },
        countsMany: { user: many, path: '/emails/counts' },
        peopleFew: { user: few, path: people },
        peopleMany: { user: many, path: people },
      })
      const searched = await p95Of(
        howl,
        {
          inboxLast: { user: many, path: `${inbox}&page=${LAST_PAGE}` },
          mailFew: { user: few, path: `${inbox}&search=zeppelin` },
          mailMany: { user: many, path: `${inbox}&search=zeppelin` },
          peopleMany: { user: many, path: `${people}&search=person77777@` },
        },
        SEARCHES,
      )
      return [
        compared('mailbox list p95, 1M mails against 10k', ms['inboxFew'], ms['inboxMany'], 1.5),
        compared('mailbox, last page against first', ms['inboxMany'], searched['inboxLast'], 1.5),
        compared('mailbox counts p95, 1M against 10k', ms['countsFew'], ms['countsMany'], 1.5),
        compared('mailbox search, rare word, 1M against 10k', searched['mailFew'], searched['mailMany'], 3),
        compared('contacts list p95, 1M against 10k', ms['peopleFew'], ms['peopleMany'], 1.2),
        {
          ...compared('contacts search, 1M', undefined, searched['peopleMany'], 20),
          ratio: searched['peopleMany'] ?? Number.NaN,
          unit: 'ms',
        },
      ]
    } finally {
      await howl.end()
    }
  },
}

function compared(name: string, base: number | undefined, own = Number.NaN, atMost: number): Figure {
  return {
    name,
    baseline: base === undefined ? '–' : duration(base),
    howl: duration(own),
    ratio: own / (base ?? Number.NaN),
    reach: { atMost },
  }
}
