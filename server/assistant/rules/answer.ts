import { type ChatSource, PROPOSALS_MAX, SOURCES_MAX } from '#contract/assistant/assistant.ts'
import { type Prepared, prepareProposal } from '../propose.ts'
import type { Asking, Fact, Found, Source } from '../tools/tool.ts'

/** An answer while it is put together. */
export type Answer = {
  intent: string
  lines: string[]
  sources: ChatSource[]
  prepared: Prepared[]
  suggestions: string[]
}

export function emptyAnswer(intent: string): Answer {
  return { intent, lines: [], sources: [], prepared: [], suggestions: [] }
}

/** The mark of a source in the text, `[1]`; '' where there is none, or no room for more. */
export function cite(sources: ChatSource[], source: Source | null): string {
  if (source === null) return ''
  const known = sources.find((each) => each.path === source.path && each.label === source.label)
  if (known !== undefined) return ` [${known.n}]`
  if (sources.length >= SOURCES_MAX) return ''
  const n = sources.length + 1
  sources.push({ n, ...source })
  return ` [${n}]`
}

/** A sentence of its own with its source. */
export function state(answer: Answer, fact: Fact): void {
  answer.lines.push(`${fact.text}${cite(answer.sources, fact.source)}`)
}

/** A heading and one item for each fact, and how many more there are. */
export function list(answer: Answer, heading: string, found: Found, none: string): void {
  if (found.facts.length === 0) return void answer.lines.push(none)
  const rest = found.total - found.facts.length
  answer.lines.push(
    [
      heading,
      ...found.facts.map((fact) => `- ${fact.text}${cite(answer.sources, fact.source)}`),
      ...(rest > 0 ? [`- … and ${rest.toLocaleString('en-GB')} more`] : []),
    ].join('\n'),
  )
}

/** Adds what a tool would do with an input. @throws as {@link prepareProposal} */
export async function propose(asking: Asking, answer: Answer, tool: string, input: object) {
  const prepared = await prepareProposal(asking, tool, input)
  if (answer.prepared.length < PROPOSALS_MAX) answer.prepared.push(prepared)
}

export const textOf = ({ lines }: Answer) => lines.join('\n\n')
