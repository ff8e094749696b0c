import { invalidInput } from '../errors.ts'
import type { Server } from './server.ts'

/** Levels of arrays and objects within each other. No call takes more than a few; the parser is slow with many thousands. */
const LEVELS_MAX = 32

/** Has the server read bodies of JSON. One that is nested too deeply is refused before it is parsed. */
export function readJsonBodies(app: Server): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = String(body)
    // Many clients declare JSON even when they send nothing: that is a call without a body.
    if (json === '') done(null, undefined)
    else if (isNestedDeeper(json, LEVELS_MAX))
      done(invalidInput(`This is nested too deeply: at most ${LEVELS_MAX} levels can be read.`))
    else void parseJson(request, json, done)
  })
}

/** True if a text of JSON opens more arrays and objects within each other than that. */
export function isNestedDeeper(json: string, levels: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '"') at = endOfString(json, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > levels) return true
  }
  return false
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
