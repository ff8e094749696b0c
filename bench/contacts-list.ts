import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { compared, limited } from './lists.ts'
import type { Benchmark, Figure } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { fillContacts, fillCorrespondents, p95Of, settleTables } from './parts/lists.ts'

const SIZES = { few: 10_000, some: 100_000, many: 1_000_000 } as const
type Size = keyof typeof SIZES
const PAGE = 50
const TABLES = ['contacts', 'contact_statuses', 'contact_search', 'correspondents', 'contact_counts']

/** The requests for a list of so many contacts, as the page makes them. */
function askedOf(contacts: number): Record<string, string> {
  const list = `/contacts/?page_size=${PAGE}&total=rough`
  return {
    list,
    last: `${list}&page=${contacts / PAGE}`,
    name: `${list}&sort=name`,
    company: `${list}&sort=-company`,
    email: `${list}&sort=email`,
    'last contact': `${list}&sort=-last_contact`,
    'rare word': `${list}&search=person7777@`,
    'frequent word': `${list}&search=person`,
    'two words': `${list}&search=company%2077`,
    'no word': `${list}&search=xylophone`,
    'status sent': `${list}&status=sent`,
    'status new': `${list}&status=new`,
    'status interested': `${list}&status=interested`,
    'status meeting_scheduled': `${list}&status=meeting_scheduled`,
  }
}

/** The contacts of users with ten thousand, a hundred thousand and a million of them, in one database. */
export const contactsList: Benchmark = {
  name: 'contacts-list',
  measure: async () => {
    const howl = await startHowl()
    try {
      const users = {} as Record<Size, TestUser>
      for (const [size, contacts] of Object.entries(SIZES) as [Size, number][]) {
        users[size] = await signUp(howl.url)
        await fillCorrespondents(howl, users[size], contacts)
        await fillContacts(howl, users[size], contacts)
        await writeWords(howl, users[size])
      }
      await settleTables(howl, TABLES)
      const ms = {} as Record<Size, Record<string, number>>
      for (const [size, contacts] of Object.entries(SIZES) as [Size, number][]) {
        const asked = Object.entries(askedOf(contacts)).map(([name, path]) => [
          name,
          { user: users[size], path },
        ])
        ms[size] = await p95Of(howl, Object.fromEntries(asked))
      }
      const acts = await bulkActs(howl, users.some)
      return [...acts, ...figuresOf('100k', ms.few, ms.some), ...figuresOf('1M', ms.few, ms.many)]
    } finally {
      await howl.end()
    }
  },
}

function figuresOf(size: string, few: Record<string, number>, many: Record<string, number>): Figure[] {
  return Object.keys(many).map((name) => {
    if (name.endsWith('word') || name.endsWith('words'))
      return limited(`contacts search, ${name}, ${size}`, many[name], 20)
    if (name.startsWith('status'))
      return compared(`contacts of ${name} against the plain list, ${size}`, many['list'], many[name], 1.5)
    const what =
      name === 'list' ? 'contacts list' : name === 'last' ? 'contacts, last page' : `contacts by ${name}`
    return compared(`${what} p95, ${size} against 10k`, few[name === 'last' ? 'list' : name], many[name], 1.2)
  })
}

/** A hundred thousand contacts in one call each: tagged, untagged, deleted, brought back. */
async function bulkActs(howl: BenchHowl, { token }: TestUser): Promise<Figure[]> {
  const figures: Figure[] = []
  const timed = async (name: string, path: string, body: object) => {
    const begun = performance.now()
    const response = await fetch(`${howl.url}${BASE_PATH}/contacts/bulk/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    figures.push(limited(`contacts, ${name} 100k at once`, performance.now() - begun, 10_000))
    return (await response.json()) as { undo_id: number }
  }
  await timed('tag', 'tag', { filter: {}, tag: 'All' })
  await timed('untag', 'untag', { filter: { tag: 'all' }, tag: 'All' })
  await timed('stop mailing', 'stop-mailing', { filter: {} })
  const gone = await timed('delete', 'delete', { filter: {} })
  await timed('bring back', `${gone.undo_id}/undo`, {})
  return figures
}

/** Writes the index entries of contacts as the worker does, but all at once. */
export async function writeWords(howl: BenchHowl, { id }: TestUser): Promise<void> {
  await howl.sql(
    `INSERT INTO contact_search (user_id, contact_id, words)
     SELECT user_id, id, array_to_tsvector(ARRAY(SELECT DISTINCT $2 || ':' || word FROM unnest(
       regexp_split_to_array(lower(name || ' ' || company), ' ') ||
       ARRAY[email_key, substr(email_key, strpos(email_key, '@')), split_part(email_key, '@', 1), 'many', 'example']) AS word))
     FROM contacts WHERE user_id = $1 ON CONFLICT DO NOTHING`,
    [id, String(id)],
  )
  await howl.sql('DELETE FROM contact_search_queue WHERE user_id = $1', [id])
}
