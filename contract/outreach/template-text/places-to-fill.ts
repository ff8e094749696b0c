/** What stands in square brackets is an example that the writer replaces with their own words. */
const PLACE = /\[([^[\]\n]{2,300})\](?!\()/g
const PLACES_MAX = 20

/** The examples in a template that still wait for the writer's own words, as they stand in the brackets. */
export function placesToFill(text: string): string[] {
  // The brackets of a link have its address behind them.
  return [...new Set([...text.matchAll(PLACE)].map(([, place = '']) => place))].slice(0, PLACES_MAX)
}
