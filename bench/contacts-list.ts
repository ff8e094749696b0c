import { signUp } from '../tests/support/factories.ts'
import { compared, limited } from './lists.ts'
import type { Benchmark } from './parts/figure.ts'
import { startHowl } from './parts/howl.ts'
import { fillContacts, p95Of, settleTables } from './parts/lists.ts'

const MANY = 1_000_000
const FEW = 10_000
const PAGE = 50
/** Searching a million rows may take a second; a few times tell enough. */
const SEARCHES = 15

/** The contacts of a user with a million of them against those of one with ten thousand, in one database. */
export const contactsList: Benchmark = {
  name: 'contacts-list',
  measure: async () => {
    const howl = await startHowl()
    try {
      const many = await signUp(howl.url)
      const few = await signUp(howl.url)
      await fillContacts(howl, many, MANY)
      await fillContacts(howl, few, FEW)
      await settleTables(howl)
      const path = `/contacts/?page_size=${PAGE}`
      const ms = await p95Of(howl, { few: { user: few, path }, many: { user: many, path } })
      const searched = await p95Of(
        howl,
        { many: { user: many, path: `${path}&search=person77777@` } },
        SEARCHES,
      )
      return [
        compared('contacts list p95, 1M against 10k', ms['few'], ms['many'], 1.2),
        limited('contacts search, 1M', searched['many'], 20),
      ]
    } finally {
      await howl.end()
    }
  },
}
