import { baseSubject } from '../../mail/threading.ts'

/** Mails of one subject with one person are one conversation when they are no further apart. */
export const SAME_SUBJECT_MS = 90 * 86_400_000

/** A mail that is to get a thread. `threadId` is the one it has, where it has one already. */
export type Threadless = {
  id: number
  threadId: number | null
  messageId: string
  follows: readonly string[]
  correspondentKey: string
  subject: string
  /** Whether subject and person may join it to a conversation: true for mail by people. */
  bySubject: boolean
  occurredAt: Date
}

/** What is known of mails that are stored. */
export type KnownThreads = {
  /** Thread by Message-ID. */
  byMessageId: ReadonlyMap<string, number>
  /** Threads of mails that answer the mail of this Message-ID. */
  ofAnswers: ReadonlyMap<string, readonly number[]>
  /** Mails with the person, by address. */
  bySubject: ReadonlyMap<string, readonly { subject: string; threadId: number; occurredAt: Date }[]>
}

/** The thread of each mail by its id, and which threads have turned out to be one: `[from, to]`. */
export type Threads = { threadOf: Map<number, number>; merged: [number, number][] }

/**
 * Puts mails into conversations: with the mail that they answer, with those that answer them, failing that with mails of
 * the same subject with the same person within 90 days; else each begins its own. Mails may come in any order.
 */
export function findThreads(mails: readonly Threadless[], known: KnownThreads): Threads {
  const into = new Map<number, number>()
  const root = (thread: number): number => {
    let at = thread
    for (let next = into.get(at); next !== undefined; next = into.get(at)) at = next
    return at
  }
  const join = (a: number, b: number): number => {
    const [low, high] = [Math.min(root(a), root(b)), Math.max(root(a), root(b))]
    if (low !== high) into.set(high, low)
    return low
  }

  const own = new Map<string, number>()
  const subjects = subjectIndex(known)
  const threadOf = new Map<number, number>()
  for (const mail of mails.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())) {
    const parent = mail.follows
      .map((id) => own.get(id) ?? known.byMessageId.get(id))
      .find((thread) => thread !== undefined)
    const linked = [...(parent === undefined ? [] : [parent]), ...(known.ofAnswers.get(mail.messageId) ?? [])]
    if (mail.threadId !== null) linked.push(mail.threadId)
    if (linked.length === 0 && mail.bySubject) linked.push(...subjects.find(mail))
    const thread = linked.length === 0 ? mail.id : linked.reduce(join, linked[0] ?? mail.id)
    threadOf.set(mail.id, thread)
    own.set(mail.messageId, thread)
    subjects.add(mail, thread)
  }
  for (const [id, thread] of threadOf) threadOf.set(id, root(thread))
  return { threadOf, merged: [...into.keys()].map((from) => [from, root(from)]) }
}

/** More subjects of one person in a chunk than this are not told apart: then all of his mails are looked at. */
const SUBJECTS_TOLD_APART = 3
/** Words of a subject that a mail of the same subject must have; more of them tell no more apart. */
const PATTERN_WORDS = 12

/**
 * Which mails of which people may have the same subject as these, as LIKE patterns: the words of the base subject in
 * their order, of ASCII letters and digits, which is what the database and we fold alike.
 */
export function soughtSubjects(
  mails: readonly Pick<Threadless, 'correspondentKey' | 'subject'>[],
): { key: string; pattern: string }[] {
  const patterns = new Map<string, Set<string>>()
  for (const { correspondentKey: key, subject } of mails) {
    const base = baseSubject(subject)
    if (key === '' || base === '') continue
    const words = base.match(/[a-z0-9]+/gi) ?? []
    const pattern = ['', ...words.slice(0, PATTERN_WORDS), ''].join('%').toLowerCase()
    patterns.set(key, (patterns.get(key) ?? new Set()).add(pattern))
  }
  return [...patterns].flatMap(([key, all]) =>
    all.size > SUBJECTS_TOLD_APART ? [{ key, pattern: '%' }] : [...all].map((pattern) => ({ key, pattern })),
  )
}

function subjectIndex(known: KnownThreads) {
  const entries = new Map<string, { threadId: number; at: number }[]>()
  const keyOf = (person: string, subject: string) => `${person}\n${baseSubject(subject).toLowerCase()}`
  const put = (key: string, threadId: number, occurredAt: Date) => {
    const list = entries.get(key)
    if (list === undefined) entries.set(key, [{ threadId, at: occurredAt.getTime() }])
    else list.push({ threadId, at: occurredAt.getTime() })
  }
  for (const [person, mails] of known.bySubject)
    for (const { subject, threadId, occurredAt } of mails) put(keyOf(person, subject), threadId, occurredAt)
  return {
    add: (mail: Threadless, thread: number) =>
      put(keyOf(mail.correspondentKey, mail.subject), thread, mail.occurredAt),
    /** The thread of the mail that is nearest in time, if there is one. */
    find(mail: Threadless): number[] {
      if (mail.correspondentKey === '' || baseSubject(mail.subject) === '') return []
      const at = mail.occurredAt.getTime()
      const near = (entries.get(keyOf(mail.correspondentKey, mail.subject)) ?? [])
        .filter((entry) => Math.abs(entry.at - at) <= SAME_SUBJECT_MS)
        .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
      return near.slice(0, 1).map(({ threadId }) => threadId)
    },
  }
}
