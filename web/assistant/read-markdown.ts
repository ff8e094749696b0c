import { lexer, type Token } from 'marked'

/** Marks of one block of text that may nest or pair; the reader's work grows with their square. */
const MARKS_MAX = 1000
/** Quotes and lists within each other; the reader calls itself for each. */
const NESTED_MAX = 20

const MARKS = /[*_~@[\]`]/g
const NESTED = new RegExp(String.raw`^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])[ \t]*){${NESTED_MAX},}`, 'm')

/** The structure of a markdown text. A text that would take long to read is one plain piece. */
export function readMarkdown(text: string): readonly Token[] {
  const isLong = text.split(/\n\s*\n/).some((block) => (block.match(MARKS)?.length ?? 0) > MARKS_MAX)
  if (isLong || NESTED.test(text)) return plain(text)
  try {
    return lexer(text, { gfm: true, breaks: true })
  } catch {
    return plain(text)
  }
}

const plain = (raw: string): readonly Token[] => [{ type: 'plain', raw }]
