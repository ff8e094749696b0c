import type { ChatReply } from '#contract/assistant/assistant.ts'
import type { Question, Wish } from './questions.ts'
import type { Unseen } from './unseen.ts'

/** What came of one case. A wrong answer that sounds sure is worse than none: it counts −1. */
export type Outcome = { asked: string; expected: string; got: string; points: -1 | 0 | 1; ms: number }

/** Words by which an answer says that it does not know, or asks back. */
const UNSURE =
  /\bno rule\b|\bcan(?:not|'t|’t)\b|\bdo(?:es)?(?: not|n['’]t) (?:know|understand)\b|\bnot sure\b|\bplease (?:tell|name|give|check|ask)\b|\bfound no\b|\bmore than one\b|\bwhich (?:meeting|of)\b|\bdid(?: not|n['’]t) understand\b/i

const shown = (patterns: readonly RegExp[] = []) => patterns.map(String).join(' ')
const proposed = ({ result }: ChatReply) =>
  result.proposals.map((each) => `${each.tool} ${JSON.stringify(each.content)}`).join(' ')

/** True where an answer says that it does not know, and proposes nothing. */
export const isUnsure = ({ text, result }: ChatReply) => result.proposals.length === 0 && UNSURE.test(text)

/** A question whose figures, rows and marks of sources must be right. */
export function judgeQuestion({ ask, says, never = [] }: Question, reply: ChatReply, ms: number): Outcome {
  const marks = [...reply.text.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n))
  const isGood =
    says.every((pattern) => pattern.test(reply.text)) &&
    !never.some((pattern) => pattern.test(reply.text)) &&
    marks.every((n) => reply.result.sources.some((source) => source.n === n))
  return {
    asked: ask,
    expected: `${shown(says)}${never.length > 0 ? ` and never ${shown(never)}` : ''}`,
    got: `(${reply.intent}) ${reply.text}`,
    points: isGood ? 1 : UNSURE.test(reply.text) ? 0 : -1,
    ms,
  }
}

/** A wish that must become one proposal with this content. */
export function judgeWish({ ask, tool, content }: Wish, reply: ChatReply, ms: number): Outcome {
  const made = reply.result.proposals
  const isGood = made.length === 1 && made[0]?.tool === tool && holds(made[0].content, content)
  return {
    asked: ask,
    expected: `${tool} ${JSON.stringify(content)}`,
    got: `(${reply.intent}) ${reply.text} ${proposed(reply)}`,
    points: isGood ? 1 : made.length === 0 ? 0 : -1,
    ms,
  }
}

/** True when `wanted` is part of `whole`, at every depth. */
function holds(whole: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(whole, wanted)
  if (typeof whole !== 'object' || whole === null) return false
  return Object.entries(wanted).every(([key, value]) => holds((whole as Record<string, unknown>)[key], value))
}

/** A sentence that nobody wrote a rule for. */
export function judgeUnseen(unseen: Unseen, reply: ChatReply, ms: number): Outcome {
  const { ask, before, has = [], not = [], tools, cannot } = unseen
  const made = reply.result.proposals
  const words =
    tools === undefined ? reply.text : `${proposed(reply)} ${JSON.stringify(made.map(({ lines }) => lines))}`
  const fits = has.every((pattern) => pattern.test(words)) && !not.some((pattern) => pattern.test(words))
  const wasUnsure = isUnsure(reply)
  const isGood =
    cannot === true
      ? wasUnsure && reply.result.sources.length === 0
      : tools === undefined
        ? fits && made.length === 0
        : fits && made.length === 1 && tools.includes(made[0]?.tool ?? '')
  return {
    asked: before === undefined ? ask : `${before} … ${ask}`,
    expected:
      cannot === true
        ? 'that he cannot'
        : `${tools?.join('|') ?? ''} ${shown(has)}${not.length > 0 ? ` and never ${shown(not)}` : ''}`.trim(),
    got: `(${reply.intent}) ${reply.text} ${proposed(reply)}`.trim(),
    points: isGood ? 1 : wasUnsure || (tools !== undefined && made.length === 0) ? 0 : -1,
    ms,
  }
}
