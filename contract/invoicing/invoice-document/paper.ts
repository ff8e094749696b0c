import type { Line, Style, Typesetter } from './typeset.ts'

/** A4 in points. */
export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

/** Paper is white, by day and by night. */
export const PAPER_COLOR = '#ffffff'

/** What is on a page, in the order in which it is read; lengths in points from the top left corner. */
export type Mark =
  | { kind: 'text'; x: number; baseline: number; size: number; color: string; line: Line }
  | { kind: 'box'; x: number; y: number; width: number; height: number; color: string }
  | { kind: 'picture'; x: number; y: number; width: number; height: number; url: string; name: string }

export type Page = { marks: Mark[] }

export type Align = 'left' | 'right'

/** From the top of a line to its baseline, and to the next line, as a part of the size. */
const ASCENT = 1.05
const LINE_HEIGHT = 1.4
export const lineHeight = (size: number) => size * LINE_HEIGHT

/** Pages that are written from top to bottom. */
export class Paper {
  readonly pages: Page[] = []
  /** Where the next thing goes. */
  y = 0
  readonly margin: number
  readonly bottom: number
  private at: Page | undefined
  private readonly setter: Typesetter
  private readonly onPage: (paper: Paper) => void

  /** `onPage` begins each page after the first, below the top margin. */
  constructor(setter: Typesetter, frame: { margin: number; foot: number }, onPage: (paper: Paper) => void) {
    this.setter = setter
    this.margin = frame.margin
    this.bottom = PAGE_HEIGHT - frame.foot
    this.onPage = onPage
    this.pages.push({ marks: [] })
  }

  get width(): number {
    return PAGE_WIDTH - 2 * this.margin
  }

  get room(): number {
    return this.bottom - this.y
  }

  breakPage(): void {
    this.pages.push({ marks: [] })
    this.y = this.margin
    this.onPage(this)
  }

  /** Goes on to a new page unless there is room for this much. */
  keep(height: number): boolean {
    if (this.room >= height) return false
    this.breakPage()
    return true
  }

  lines(text: string, width: number, style: Style): Line[] {
    return this.setter.lines(text, width, style)
  }

  widthOf(text: string, style: Style): number {
    return this.setter.line(text, style).width
  }

  /** Puts a line with its top at `y`, from `x` on or ending there. */
  put(line: Line | string, x: number, y: number, style: Style, align: Align = 'left'): void {
    const set = typeof line === 'string' ? this.setter.line(line, style) : line
    if (set.runs.length === 0) return
    this.mark({
      kind: 'text',
      x: align === 'left' ? x : x - set.width,
      baseline: y + style.size * ASCENT,
      size: style.size,
      color: style.color,
      line: set,
    })
  }

  /** Puts a text in lines below one another; returns where the next one would be. */
  block(text: string, at: { x: number; y: number; width: number }, style: Style): number {
    let { y } = at
    for (const line of this.lines(text, at.width, style)) {
      this.put(line, at.x, y, style)
      y += lineHeight(style.size)
    }
    return y
  }

  box(x: number, y: number, width: number, height: number, color: string): void {
    this.mark({ kind: 'box', x, y, width, height, color })
  }

  picture(url: string, name: string, at: { x: number; y: number; width: number; height: number }): void {
    this.mark({ kind: 'picture', url, name, ...at })
  }

  /** Lets `draw` put things on an earlier page. */
  on(index: number, draw: () => void): void {
    this.at = this.pages[index]
    draw()
    this.at = undefined
  }

  private mark(mark: Mark): void {
    const page = this.at ?? this.pages.at(-1)
    page?.marks.push(mark)
  }
}
