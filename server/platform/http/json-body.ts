import { invalidInput } from '../errors.ts'
import type { Server } from './server.ts'

/** Levels of arrays and objects within each other. No call takes more than a few; the parser is slow with many thousands. */
const LEVELS_MAX = 32
/** Values and names at most, all together. The longest lists of a call have 10,000 entries; parsing and checking millions of values would stop all others. */
const VALUES_MAX = 25_000

/** Has the server read bodies of JSON. One that is nested too deeply is refused before it is parsed. */
export function readJsonBodies(app: Server): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = String(body)
    // Many clients declare JSON even when they send nothing: that is a call without a body.
    if (json === '') done(null, undefined)
    else {
      const fault = tooMuchOf(json, { levels: LEVELS_MAX, values: VALUES_MAX })
      if (fault === null) void parseJson(request, json, done)
      else done(invalidInput(fault))
    }
  })
}

/** Why a text of JSON is not parsed: its arrays and objects are nested too deeply, or it has too many values. */
export function tooMuchOf(json: string, most: { levels: number; values: number }): string | null {
  let depth = 0
  let values = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') at = endOfString(json, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    // Each value and each name but the first comes after one of these.
    if (character === '[' || character === '{' || character === ',' || character === ':') values += 1
    if (depth > most.levels) return `This is nested too deeply: at most ${most.levels} levels can be read.`
    if (values > most.values) return `This has too many values: at most ${most.values} can be read at once.`
  }
  return null
}

/** Where the string that begins at a quote ends. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end
    while (json[first - 1] === '\\') first -= 1
    // An even number of backslashes escapes only each other.
    if ((end - first) % 2 === 0) return end
  }
  return json.length
}
