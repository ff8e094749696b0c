// The order of text on a line: the Unicode Bidirectional Algorithm (UAX 9) without explicit embeddings, which nobody types
// into a name or an address.

/** Neighbouring characters that go in one direction. `text` is in reading order. */
export type DirectedRun = { text: string; isRtl: boolean }

type Kind = 'L' | 'R' | 'number' | 'separator' | 'neutral' | 'mark'

const RTL_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function kindOf(character: string): Kind {
  if (/\p{M}/u.test(character)) return 'mark'
  if (/\p{Nd}/u.test(character)) return 'number'
  if (/\p{L}/u.test(character)) return RTL_LETTER.test(character) ? 'R' : 'L'
  return /[.,:/+-]/.test(character) ? 'separator' : 'neutral'
}

/** True if a paragraph reads from right to left: its first letter does. */
export function isRtlText(text: string): boolean {
  const letter = /\p{L}/u.exec(text)
  return letter !== null && RTL_LETTER.test(letter[0])
}

/** The runs of a line from left to right as they are drawn. */
export function visualRuns(line: string, isRtlParagraph = isRtlText(line)): DirectedRun[] {
  // The common case; nothing is reordered in it.
  if (!isRtlParagraph && !RTL_LETTER.test(line)) return line === '' ? [] : [{ text: line, isRtl: false }]
  const characters = Array.from(line)
  const levels = levelsOf(characters.map(kindOf), isRtlParagraph)
  const runs: { text: string; level: number }[] = []
  for (const [index, character] of characters.entries()) {
    const level = levels[index] ?? 0
    const last = runs.at(-1)
    if (last?.level === level) last.text += character
    else runs.push({ text: character, level })
  }
  // Rule L2: from the highest level to 1, whatever is at that level or above is reversed.
  for (let level = 2; level > 0; level -= 1) {
    for (let start = 0; start < runs.length; start += 1) {
      let end = start
      while (end < runs.length && (runs[end]?.level ?? 0) >= level) end += 1
      if (end > start) {
        runs.splice(start, end - start, ...runs.slice(start, end).toReversed())
        start = end
      }
    }
  }
  return runs.map(({ text, level }) => ({ text, isRtl: level % 2 === 1 }))
}

function levelsOf(kinds: readonly Kind[], isRtlParagraph: boolean): number[] {
  const base = isRtlParagraph ? 1 : 0
  const settled = joinNumbers(takeOverMarks(kinds))
  let strong: 'L' | 'R' = isRtlParagraph ? 'R' : 'L'
  const directions = settled.map((kind) => {
    if (kind === 'L' || kind === 'R') strong = kind
    // W7: a number after a letter from left to right is part of that text.
    return kind === 'number' && strong === 'L' ? 'L' : kind
  })
  return directions.map((kind, index) => {
    if (kind === 'number') return base === 1 || directions.includes('R') ? 2 : 0
    if (kind === 'L') return base === 1 ? 2 : 0
    if (kind === 'R') return 1
    // N1 and N2: between two texts of one direction neutrals go with them, else with the paragraph.
    const before = sideOf(directions.slice(0, index).findLast((one) => one !== 'neutral'))
    const after = sideOf(directions.slice(index + 1).find((one) => one !== 'neutral'))
    const paragraph = isRtlParagraph ? 'R' : 'L'
    const direction = (before ?? paragraph) === (after ?? paragraph) ? (before ?? paragraph) : paragraph
    return direction === 'R' ? 1 : base === 1 ? 2 : 0
  })
}

/** For what stands beside it, a number among letters from right to left counts as one of them. */
function sideOf(kind: Kind | undefined): 'L' | 'R' | undefined {
  if (kind === 'number') return 'R'
  return kind === 'L' || kind === 'R' ? kind : undefined
}

/** W1: a mark belongs to its letter. */
function takeOverMarks(kinds: readonly Kind[]): Kind[] {
  const taken: Kind[] = []
  for (const kind of kinds) taken.push(kind === 'mark' ? (taken.at(-1) ?? 'neutral') : kind)
  return taken
}

/** W4: one separator between two digits is part of the number, as in 1,234.50 or 2026-11-23; another is like a blank. */
function joinNumbers(kinds: readonly Kind[]): Kind[] {
  return kinds.map((kind, index) => {
    if (kind !== 'separator') return kind
    return kinds[index - 1] === 'number' && kinds[index + 1] === 'number' ? 'number' : 'neutral'
  })
}

const MIRRORED: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

/** A run of punctuation that goes from right to left, as it is drawn from left to right. */
export function mirrored(text: string): string {
  return Array.from(text)
    .toReversed()
    .map((character) => MIRRORED[character] ?? character)
    .join('')
}
