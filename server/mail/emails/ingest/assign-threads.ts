import { baseSubject } from '../../../formats/mail-text/threading.ts'

/** Messages with the same subject and person belong to one conversation if they are no further apart than this. */
export const SAME_SUBJECT_MS = 90 * 86_400_000

/** A message that needs a thread. `threadId` is the one it already has, if any. */
export type Threadless = {
  id: number
  threadId: number | null
  messageId: string
  follows: readonly string[]
  correspondentKey: string
  subject: string
  /** Whether subject and person may put it into a conversation: true for mail written by people. */
  bySubject: boolean
  occurredAt: Date
}

/** What is known about stored messages. */
export type KnownThreads = {
  /** Thread by Message-ID. */
  byMessageId: ReadonlyMap<string, number>
  /** Threads of the messages that answer this Message-ID. */
  ofAnswers: ReadonlyMap<string, readonly number[]>
  /** Messages with a person, by address. */
  bySubject: ReadonlyMap<string, readonly { subject: string; threadId: number; occurredAt: Date }[]>
}

/** Each message's thread by its id, and the threads that turned out to be one: `[from, to]`. */
export type Threads = { threadOf: Map<number, number>; merged: [number, number][] }

/**
 * Assigns messages to conversations: that of the message they answer, or of those that answer them, or else of a
 * message with the same subject and person within 90 days. Otherwise a message starts its own. Messages may come in any
 * order.
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

/**
 * If a chunk has more subjects of one person than this, they are not told apart and all of that person's messages are
 * read.
 */
const SUBJECTS_TOLD_APART = 3
/** Words of a subject that go into its pattern; more of them would not narrow the result. */
const PATTERN_WORDS = 12

/**
 * LIKE patterns for stored messages that may have the same subject as these, by person. A pattern holds the words of
 * the base subject in order, ASCII letters and digits only, because the database and our code fold the case of these
 * alike.
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
    /** The thread of the message nearest in time, if there is one. */
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
