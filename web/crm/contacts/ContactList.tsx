import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { contacts } from '#contract/crm/contacts.ts'
import type { PageOf } from '#web/platform/api/call.ts'
import { PAGE_SIZES } from '#web/platform/list-query.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { ListFooter } from '#web/platform/ui/ListFooter.tsx'
import type { useContactFilters } from './contact-filters.ts'
import { ContactCards } from './ContactCards.tsx'
import { type ContactActions, ContactTable } from './ContactTable.tsx'
import type { ContactSelection } from './use-contact-selection.ts'
import type { ContactTotal } from './use-contact-total.ts'
import { useWide } from './use-wide.ts'

type ContactListProps = ContactActions & {
  result: UseQueryResult<PageOf<typeof contacts.list>>
  asked: ReturnType<typeof useContactFilters>
  selection: ContactSelection
  total: ContactTotal
}

/** One page of contacts, or why there are none. */
export function ContactList({ result, asked, selection, total, ...actions }: ContactListProps) {
  const isWide = useWide()
  const { data, isPending, isError, isPlaceholderData, refetch, isFetching } = result
  const { sort, page, pageSize, setPage } = asked
  // Placeholder rows say nothing about how many pages the next answer has.
  const isKnown = data !== undefined && !isPlaceholderData
  const lastPage = isKnown ? Math.max(1, Math.ceil(total.count / pageSize)) : page
  // The last contact of the last page was deleted, or the address names a page that does not exist.
  useEffect(() => {
    if (page > lastPage) setPage(lastPage)
  })
  if (isError && data === undefined) {
    return <ErrorState message="Failed to load contacts" onRetry={() => void refetch()} busy={isFetching} />
  }
  const rows = data?.rows ?? []
  if (!isPending && total.count === 0) return <NothingFound onClear={asked.clear} />
  return (
    <>
      {isWide ? (
        <ContactTable
          rows={rows}
          loading={isPending}
          sort={sort}
          onSort={asked.setSort}
          selection={selection}
          {...actions}
        />
      ) : (
        <ContactCards rows={rows} loading={isPending} selection={selection} {...actions} />
      )}
      {isPending ? null : (
        <ListFooter
          page={page}
          pageSize={pageSize}
          total={total.count}
          atLeast={!total.isExact}
          noun="contacts"
          sizes={PAGE_SIZES}
          onPage={setPage}
          onPageSize={asked.setPageSize}
        />
      )}
    </>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title="No contacts match" action={<Button onClick={onClear}>Clear filters</Button>}>
      Try fewer filters or different words.
    </EmptyState>
  )
}
