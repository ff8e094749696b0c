/**
 * What people write in one language, as sources of regular expressions for whole words, in lower case; apostrophes are
 * straight. Negations belong to `no`: it is looked for before what they deny.
 */
export type Phrases = {
  absent: readonly string[]
  unsubscribe: readonly string[]
  /** A no, also one for now: "not now, ask again in spring". */
  no: readonly string[]
  meeting: readonly string[]
  yes: readonly string[]
  /** Questions without a mark. */
  question: readonly string[]
  /** Sentences that pass the mail on to somebody else. They say neither yes nor no. */
  handOver: readonly string[]
  /** The writer is the wrong person: a no, unless somebody else is named. */
  notMe: readonly string[]
}
