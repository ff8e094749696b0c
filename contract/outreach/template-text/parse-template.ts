import { type FieldName, fieldOf } from './fields.ts'
import { PROBLEMS, type TemplateProblem } from './problems.ts'

/** A part of a template: text, a field with its default, or a condition with what stands in it. */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'field'; name: FieldName; fallback: string }
  | { kind: 'if'; name: FieldName; met: TemplateNode[]; otherwise: TemplateNode[] }

export type ParsedTemplate = { nodes: TemplateNode[]; problems: TemplateProblem[] }

export type TemplateLimits = { chars: number; tags: number; depth: number }

/** The longest subject and text of a template, in characters. */
export const TEMPLATE_SUBJECT_MAX = 200
export const TEMPLATE_BODY_MAX = 10_000

const LIMITS: TemplateLimits = { chars: TEMPLATE_BODY_MAX, tags: 200, depth: 10 }
/** A longer tag is one that was not closed. The limit also keeps the search for its end short. */
const TAG_MAX = 300
/** More problems help nobody. */
const PROBLEMS_MAX = 10

type Open = { node: Extract<TemplateNode, { kind: 'if' }>; at: number; hasElse: boolean }
type Reading = {
  source: string
  limits: TemplateLimits
  root: TemplateNode[]
  open: Open[]
  problems: TemplateProblem[]
}

/**
 * Reads a template once, from its beginning to its end, in a time that grows with its length. There are fields with a
 * default and conditions; there are no loops, calculations or calls.
 */
export function parseTemplate(source: string, limits: TemplateLimits = LIMITS): ParsedTemplate {
  const state: Reading = { source, limits, root: [], open: [], problems: [] }
  if (source.length > limits.chars) report(state, limits.chars, PROBLEMS.tooLong(limits.chars))
  else read(state)
  return { nodes: state.root, problems: state.problems }
}

function read(state: Reading): void {
  const { source, limits, problems } = state
  // One search for all marks: a search for each could run to the end of the text again and again.
  const marks = /\{\{|\{%|\}\}|%\}/g
  let from = 0
  let tags = 0
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    if (problems.length >= PROBLEMS_MAX) return
    const { index: at } = mark
    const isField = mark[0] === '{{'
    if (!isField && mark[0] !== '{%') {
      report(state, at, PROBLEMS.unopened(mark[0]))
      continue
    }
    tags += 1
    if (tags > limits.tags) return report(state, at, PROBLEMS.tooManyTags(limits.tags))
    const inside = insideOf(source, at + 2, isField ? '}}' : '%}')
    if (inside === null) {
      report(state, at, isField ? PROBLEMS.unclosedField() : PROBLEMS.unclosedTag())
      continue
    }
    let end = at + 2 + inside.length + 2
    let textEnd = at
    if (!isField) ({ textEnd, end } = wholeLine(source, from, at, end))
    addText(state, source.slice(from, textEnd))
    if (isField) readField(state, inside.trim(), at)
    else readTag(state, inside.trim(), at)
    from = end
    marks.lastIndex = end
  }
  addText(state, source.slice(from))
  for (const { at } of state.open)
    if (problems.length < PROBLEMS_MAX) report(state, at, PROBLEMS.unclosedIf())
}

/** The text up to the end of a tag; null if it is not closed, or another one begins before that. */
function insideOf(source: string, from: number, end: string): string | null {
  const near = source.slice(from, from + TAG_MAX)
  const length = near.indexOf(end)
  if (length < 0) return null
  const inside = near.slice(0, length)
  return inside.includes('{{') || inside.includes('{%') ? null : inside
}

/** A condition that has a line for itself takes the whole line with it, so that no empty line stays. */
function wholeLine(source: string, from: number, at: number, end: number): { textEnd: number; end: number } {
  let left = at
  while (left > from && isBlank(source[left - 1])) left -= 1
  let right = end
  while (isBlank(source[right])) right += 1
  const begins = left === 0 || source[left - 1] === '\n'
  if (!begins || (right < source.length && source[right] !== '\n')) return { textEnd: at, end }
  return { textEnd: left, end: Math.min(right + 1, source.length) }
}
const isBlank = (char: string | undefined): boolean => char === ' ' || char === '\t'

function readField(state: Reading, inside: string, at: number): void {
  const bar = inside.indexOf('|')
  const name = (bar < 0 ? inside : inside.slice(0, bar)).trim()
  if (name === '') return report(state, at, PROBLEMS.emptyField())
  if (/\s/.test(name)) return report(state, at, PROBLEMS.badField())
  const field = fieldOf(name)
  if (field === undefined) return report(state, at, PROBLEMS.unknownField(name))
  const fallback = bar < 0 ? '' : fallbackOf(state, inside.slice(bar + 1).trim(), at)
  listOf(state).push({ kind: 'field', name: field.name, fallback })
}

function fallbackOf(state: Reading, filter: string, at: number): string {
  const [, name = '', rest = ''] = /^([^\s:|]*)([^]*)$/.exec(filter) ?? []
  if (name !== 'default') {
    report(state, at, PROBLEMS.unknownFilter(name))
    return ''
  }
  // Phones and word processors make quotes curly.
  const quoted = /^\s*:\s*(?:"([^"{}]*)"|'([^'{}]*)'|[“”„]([^“”„{}]*)[“”])$/.exec(rest)
  if (quoted === null) report(state, at, PROBLEMS.badDefault())
  return quoted?.[1] ?? quoted?.[2] ?? quoted?.[3] ?? ''
}

function readTag(state: Reading, inside: string, at: number): void {
  const [word = '', ...rest] = inside.split(/\s+/)
  const inner = state.open.at(-1)
  if (word === 'if') return openIf(state, rest, at)
  if (rest.length > 0 || (word !== 'else' && word !== 'endif'))
    return report(state, at, PROBLEMS.unknownTag(word))
  if (inner === undefined) return report(state, at, PROBLEMS.noIf(word))
  if (word === 'endif') state.open.pop()
  else if (inner.hasElse) report(state, at, PROBLEMS.secondElse())
  else inner.hasElse = true
}

function openIf(state: Reading, names: readonly string[], at: number): void {
  const [name = ''] = names
  const field = fieldOf(name)
  if (names.length !== 1) report(state, at, PROBLEMS.badIf())
  else if (field === undefined) report(state, at, PROBLEMS.unknownField(name))
  if (state.open.length === state.limits.depth) report(state, at, PROBLEMS.tooDeep(state.limits.depth))
  // Opened all the same: its end is not another problem.
  const node: Open['node'] = { kind: 'if', name: field?.name ?? 'name', met: [], otherwise: [] }
  listOf(state).push(node)
  state.open.push({ node, at, hasElse: false })
}

function addText(state: Reading, text: string): void {
  if (text !== '') listOf(state).push({ kind: 'text', text })
}

function listOf({ root, open }: Reading): TemplateNode[] {
  const inner = open.at(-1)
  if (inner === undefined) return root
  return inner.hasElse ? inner.node.otherwise : inner.node.met
}

function report({ source, problems }: Reading, at: number, message: string): void {
  const before = source.slice(0, at)
  const line = before.split('\n').length
  problems.push({ line, column: at - before.lastIndexOf('\n'), message })
}
