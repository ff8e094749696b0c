import { HIDDEN } from '#contract/formats/hidden-characters.ts'
import { DATA_MARKS } from '../../platform/gateways/model-marks.ts'

/** The tail of a text that may become a picture or a link with the next piece. */
const UNFINISHED =
  /(?:^|\n)[ \t]*\[[^\]\n]{0,500}\]:[^\n]{0,2000}$| ?!?\[[^\]]{0,500}(?:\](?:\([^)]{0,2000})?)?$| ?!$|<[^>]{0,500}$|\n[ \t]*$| $/

/** Stands for the beginning of a line that was shown already; no model's words have it. */
const WITHIN = '\u2060'

/**
 * Makes a model's words plain: no HTML, no pictures, no link that hides its host, no mark of a source that is not there.
 * Pieces come in, and what is safe to show comes out; an end may be held back until the next piece.
 *
 * @param isSource whether `[n]` names a source
 */
export function safeText(isSource: (n: number) => boolean): { push(piece: string): string; end(): string } {
  let held = ''
  let before = ''
  const show = (text: string) => {
    // Within a line nothing is a definition: a character that is taken out again stands for what was before.
    const isLineStart = before === '' || before === '\n'
    const shown = plain(`${isLineStart ? '' : WITHIN}${visible(text)}`, isSource).replace(WITHIN, '')
    // Where a text is too long to be held back, its parts must not make a link together.
    const joint = before === ']' && shown.startsWith('(') ? ' ' : ''
    before = shown.at(-1) ?? before
    return joint + shown
  }
  return {
    push(piece) {
      held += piece
      const at = UNFINISHED.exec(held)?.index ?? held.length
      const ready = held.slice(0, at)
      held = held.slice(at)
      return show(ready)
    },
    end() {
      const rest = held
      held = ''
      return show(rest)
    },
  }
}

/** An emoji keeps the selector that makes it one. */
const INVISIBLE = new RegExp(String.raw`(?!\ufe0f)${HIDDEN}|(?![\n\t])\p{Cc}`, 'gu')
const visible = (text: string) => text.replaceAll(INVISIBLE, '')

/**
 * Nothing here looks further than some thousand characters, so that no text takes long, whoever wrote it. What is longer
 * loses the signs that would make it a link, a picture or HTML at the end.
 */
function plain(text: string, isSource: (n: number) => boolean): string {
  return (
    text
      .replaceAll(DATA_MARKS, '')
      .replaceAll(/!\[([^\]]{0,500})\](?:\([^)]{0,2000}\)|\[[^\]]{0,500}\])?/g, '$1')
      .replaceAll(/\[([^\]]{0,500})\]\(([^)]{0,2000})\)/g, (_, words: string, aim: string) => {
        const [url = ''] = aim.trim().split(/\s/, 1)
        return words === url ? url : `${words} (${url})`
      })
      .replaceAll(/\[([^\]]{1,500})\]\[[^\]]{0,500}\]/g, (whole, words: string) =>
        /^\d+$/.test(words) ? whole : words,
      )
      // Definitions would make every mark a link. Markdown reads names of up to 999 characters.
      .replaceAll(/^[ \t]*\[[^\]\n]{1,1000}\]:[ \t]*\S.*$/gm, '')
      .replaceAll(/^([ \t]*)\[([^\]\n]{1,1000})\]:/gm, '$1$2:')
      .replaceAll(/ ?\[(\d{1,3})\]/g, (mark, n: string) => (isSource(Number(n)) ? mark : ''))
      .replaceAll(/<\/?[a-z!][^>]{0,2000}>/gi, '')
      .replaceAll('![', '[')
      .replaceAll('](', '] (')
      .replaceAll('<', '‹')
      .replaceAll('>', '›')
      .toWellFormed()
  )
}
