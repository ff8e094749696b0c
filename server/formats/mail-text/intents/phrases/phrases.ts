/**
 * Phrases of one language, as sources of regular expressions for whole words, in lower case; apostrophes are straight.
 * Negations belong to `no`: it is matched before what they negate.
 */
export type Phrases = {
  absent: readonly string[]
  unsubscribe: readonly string[]
  /** A no, even if only for now: "not now, ask again in spring". */
  no: readonly string[]
  meeting: readonly string[]
  yes: readonly string[]
  /** Questions without a question mark. */
  question: readonly string[]
  /** Sentences that refer to somebody else. They mean neither yes nor no. */
  handOver: readonly string[]
  /** The sender is the wrong person: a no, unless somebody else is named. */
  notMe: readonly string[]
}
