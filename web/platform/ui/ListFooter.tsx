import { Pagination, type PaginationProps } from './Pagination.tsx'
import { Select } from './Select.tsx'

type ListFooterProps = Omit<PaginationProps, 'className'> & {
  sizes: readonly number[]
  onPageSize: (size: number) => void
}

/** Below a list: which rows are shown, the other pages, and how many rows a page has. */
export function ListFooter({ sizes, onPageSize, ...pages }: ListFooterProps) {
  const { noun, pageSize } = pages
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-3 py-2">
      {/* On phones the page size is beside the count, and the page numbers are below both. */}
      <Pagination {...pages} className="grow max-sm:contents" />
      <Select
        aria-label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} per page`}
        className="w-32 pointer-coarse:w-38"
        options={sizes.map((size) => ({ value: String(size), label: `${size} per page` }))}
        value={String(pageSize)}
        onChange={(event) => onPageSize(Number(event.target.value))}
      />
    </div>
  )
}
