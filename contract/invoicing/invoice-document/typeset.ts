import { isRtlText, mirrored, visualRuns } from './bidi.ts'
import { type Face, faceRuns, type Weight } from './faces.ts'

/** The width of a text in a font, as a part of the font's size. */
export type Measure = (face: Face, text: string) => number

export type Style = { size: number; weight: Weight; color: string }

/** Text in one font and direction; `x` is where it begins on its line, in points. */
export type Run = { face: Face; text: string; x: number; width: number; isRtl: boolean }
export type Line = { runs: Run[]; width: number }

export type Typesetter = {
  /** All of a text on one line that reads from left to right: labels and amounts. */
  line: (text: string, style: Style) => Line
  /** A text in lines of at most this width; a word that is longer is divided. */
  lines: (text: string, width: number, style: Style) => Line[]
}

/** Sets text in lines by the widths that `measure` gives. */
export function makeTypesetter(measure: Measure): Typesetter {
  const known = new Map<string, number>()
  const widthIn = (face: Face, text: string): number => {
    const key = `${face} ${text}`
    const width = known.get(key) ?? measure(face, text)
    known.set(key, width)
    return width
  }
  const widthOf = (text: string, { size, weight }: Style) =>
    faceRuns(text).reduce((sum, run) => sum + widthIn(`${run.script}-${weight}`, run.text), 0) * size

  const set = (text: string, style: Style, isRtlParagraph: boolean): Line => {
    const runs: Run[] = []
    let x = 0
    for (const directed of visualRuns(text, isRtlParagraph)) {
      const parts = faceRuns(directed.text)
      for (const { text: part, script } of directed.isRtl ? parts.toReversed() : parts) {
        const face: Face = `${script}-${style.weight}`
        // Fonts of other scripts draw from left to right whatever they are given.
        const isRtl = directed.isRtl && script === 'arabic'
        const drawn = directed.isRtl && !isRtl ? mirrored(part) : part
        const width = widthIn(face, drawn) * style.size
        runs.push({ face, text: drawn, x, width, isRtl })
        x += width
      }
    }
    return { runs, width: x }
  }

  const wrap = (paragraph: string, width: number, style: Style): string[] => {
    // Most texts fit: then they are measured once, and not once for each word.
    if (widthOf(paragraph.trimEnd(), style) <= width) return [paragraph.trimEnd()]
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/(?<=\s)(?=\S)/)) {
      if (line !== '' && widthOf((line + word).trimEnd(), style) > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += word
      while (widthOf(line.trimEnd(), style) > width) {
        const fits = longestStart(line, (start) => widthOf(start, style) <= width)
        lines.push(fits)
        line = line.slice(fits.length)
      }
    }
    lines.push(line.trimEnd())
    return lines
  }

  return {
    line: (text, style) => set(text, style, false),
    lines: (text, width, style) =>
      text.split(/\r?\n/).flatMap((paragraph) => {
        const isRtl = isRtlText(paragraph)
        return wrap(paragraph, width, style).map((line) => set(line, style, isRtl))
      }),
  }
}

/** The longest start of a text that fits, one character at least. */
function longestStart(text: string, fits: (start: string) => boolean): string {
  const characters = Array.from(text)
  let low = 1
  let high = characters.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(characters.slice(0, middle).join(''))) low = middle
    else high = middle - 1
  }
  return characters.slice(0, low).join('')
}
