import sanitizeHtml from 'sanitize-html'
import { cutTags } from '../../platform/text.ts'

/** Nobody lays out mail so deep, and browsers open up what is deeper than 512 elements. */
const MAX_DEPTH = 1_000
/** So few tags may nest as they like: the parsers of HTML go through all open elements for each, which takes no time yet. */
const HARMLESS_TAGS = 2_000

class TooDeep extends Error {}

/**
 * HTML up to so many characters and tags, and up to where its elements nest more than a thousand deep: beyond that each
 * tag costs the parser as much as there are elements around it.
 */
export function cutHtml(html: string, limits: { chars: number; tags: number }): string {
  const source = cutTags(html.slice(0, limits.chars), limits.tags)
  if (cutTags(source, HARMLESS_TAGS) === source) return source
  let [opened, depth] = [0, 0]
  try {
    sanitizeHtml(source, {
      allowedTags: [],
      allowedAttributes: {},
      onOpenTag: () => {
        opened += 1
        depth += 1
        if (depth > MAX_DEPTH) throw new TooDeep()
      },
      onCloseTag: () => (depth -= 1),
    })
    return source
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    // So many tags cannot open more elements than there were.
    return cutTags(source, opened - 1)
  }
}
