import type { Intent } from '#contract/mail/email.ts'
import { dutch } from './phrases/dutch.ts'
import { english } from './phrases/english.ts'
import { french } from './phrases/french.ts'
import { german } from './phrases/german.ts'
import { italian } from './phrases/italian.ts'
import { nordic } from './phrases/nordic.ts'
import type { Phrases } from './phrases/phrases.ts'
import { polish } from './phrases/polish.ts'
import { portuguese } from './phrases/portuguese.ts'
import { russian } from './phrases/russian.ts'
import { spanish } from './phrases/spanish.ts'
import { ownWords } from '../replies/replies.ts'
import { hasWords, wholeWords } from '../../../platform/text.ts'

/** People say what they want at the beginning. */
const MAX_CHARS = 3_000

const LANGUAGES: readonly Phrases[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  nordic,
  polish,
  russian,
]
/** Asked of lower case: these patterns are made at their first use, while everybody waits. */
const said = (part: keyof Phrases): RegExp =>
  wholeWords(
    LANGUAGES.flatMap((phrases) => phrases[part]),
    'u',
  )

const STOP = /^\s*(?:stop|stopp|стоп|baja|sair|basta)[.! ]*$/imu
const QUESTION_MARK = /[？؟]|\?(?:[\s"')\]»”]|$)|\p{Script=Greek}\s?[;\u037e](?:\s|$)/mu
const QUESTION_WORD =
  /^\s*(?:what|how|when|where|who|why|which|can you|could you|do you|does|is there|are there)(?!\p{L})[^.!]{3,}$/imu

/** The first match wins: what must not be missed comes first, and a "no" precedes the "yes" it contains. */
const RULES: readonly (readonly [Intent, readonly RegExp[]])[] = [
  ['out_of_office', [said('absent')]],
  ['unsubscribe', [said('unsubscribe'), STOP]],
  ['not_interested', [said('no'), said('notMe')]],
  ['meeting_request', [said('meeting')]],
  ['interested', [said('yes')]],
  ['question', [QUESTION_MARK, QUESTION_WORD, said('question')]],
]
const HAND_OVER = said('handOver')
const NOT_ME = said('notMe')

/**
 * What the sender wants, by rules on the sender's own text only, in the languages of {@link LANGUAGES}; in others,
 * questions are found by their mark. Conservative: 'other' unless the text is clear. docs/mail.md lists the rules and
 * their limits.
 */
export function classifyReply(text: string): Intent {
  const words = ownWords(text)
    .slice(0, MAX_CHARS)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[ \t]+/g, ' ')
  // Links contain words like "unsubscribe" that the sender did not write.
  const spoken = ofHimself(words.replace(/https?:\/\/(?!calendly\.com)\S+/gi, ''))
  if (!hasWords(spoken)) return 'other'
  return RULES.find(([, rules]) => rules.some((rule) => rule.test(spoken)))?.[0] ?? 'other'
}

/**
 * Removes sentences that refer to somebody else ("my colleague handles this, could you write to him?"): they are
 * neither a yes nor a no, nor a question about the subject. Then "I am not the right person" is none either.
 */
function ofHimself(words: string): string {
  if (!HAND_OVER.test(words)) return words
  return words
    .split(/(?<=[.!?;。！？])\s|\n{2,}/u)
    .filter((sentence) => !HAND_OVER.test(sentence) && !NOT_ME.test(sentence))
    .join('\n')
}
