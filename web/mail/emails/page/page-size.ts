import { type MailLocation, PAGE_SIZES } from './page-location.ts'

const DEFAULT_SIZE = 10
const KEY = 'app.emailsPerPage'

/** How many mails a page shows: the size in the address, else the one last chosen in this browser. */
export function usePageSize(location: MailLocation): [number, (size: number) => void] {
  const choose = (size: number) => {
    localStorage.setItem(KEY, String(size))
    location.go({ pageSize: size, page: 1 }, { replace: true })
  }
  return [location.pageSize ?? readSize(), choose]
}

function readSize(): number {
  return PAGE_SIZES.find((size) => String(size) === localStorage.getItem(KEY)) ?? DEFAULT_SIZE
}
