/** A line of recipients by their names, for a list: `"Berg, Bea" <bea@y.org>, cy@z.org` is "Berg, Bea, cy@z.org". */
export function namesOf(line: string): string {
  return line.replaceAll(
    /(?:"(?<quoted>[^"]{1,200})"|(?<plain>[^",<>\s][^",<>]{0,200}?))\s{0,9}<[^<>]{1,320}>/g,
    (...found) => {
      const { quoted, plain } = found.at(-1) as { quoted?: string; plain?: string }
      return (quoted ?? plain ?? '').trim()
    },
  )
}
