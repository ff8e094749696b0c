/** The page numbers to show: at most five, with the current one in the middle if possible. Pages count from 1. */
export function pageWindow(page: number, pages: number) {
  const count = Math.min(5, Math.max(pages, 1))
  const first = Math.min(Math.max(page - Math.floor(count / 2), 1), Math.max(pages - count + 1, 1))
  return Array.from({ length: count }, (_, index) => first + index)
}

/** "Showing X to Y of Z emails"; `atLeast` while Z is still being counted. */
export function showing(page: number, pageSize: number, total: number, noun: string, atLeast = false) {
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1
  const [first, last, all] = [from, Math.min(page * pageSize, total), total].map((n) =>
    n.toLocaleString('en'),
  )
  return `Showing ${first} to ${last} of ${atLeast ? 'more than ' : ''}${all} ${noun}`
}
