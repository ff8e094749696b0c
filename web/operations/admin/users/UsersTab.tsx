import { RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import {
  admin,
  type AdminUser,
  USER_SEARCH_MAX,
  USER_STATUSES,
  USERS_PER_PAGE,
} from '#contract/operations/admin.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { pageChanges, pageOf, useListQuery } from '#web/platform/list-query.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { PreviousNext } from '#web/platform/ui/PreviousNext.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { Column } from '#web/platform/ui/Table.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { useAdminCommand, useAdminEndpoint } from '../admin-calls.ts'
import { readAdminUser } from '../admin-session.ts'
import { tierName } from '../tier-name.ts'
import { ChangeUserDialog } from './ChangeUserDialog.tsx'
import { DeleteUserDialog } from './DeleteUserDialog.tsx'

const FAILED = 'Failed to load users'
const STATUSES = [
  { value: '', label: 'Any status' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'deleted', label: 'Deleted' },
]

/** All accounts, 20 a page. */
export function UsersTab() {
  const [address, change] = useListQuery()
  const { what: asked, turn, show, props } = useOpened<{ user: AdminUser; act: 'delete' | 'change' }>()
  const page = pageOf(address)
  const withDeleted = address.get('deleted') === '1'
  const search = (address.get('search') ?? '').slice(0, USER_SEARCH_MAX)
  const status = USER_STATUSES.find((each) => each === address.get('status'))
  const isFiltered = search !== '' || status !== undefined
  const query = useAdminEndpoint(admin.users, {
    query: {
      page,
      limit: USERS_PER_PAGE,
      include_deleted: withDeleted ? 'true' : 'false',
      search,
      ...(status && { status }),
    },
    staleTime: 0,
  })
  const { data, error, refetch, isFetching, isPlaceholderData } = query
  useEffect(() => {
    if (error !== null) toast.error(FAILED)
  }, [error])
  const restore = useAdminCommand(admin.restoreUser, {
    refreshes: [admin.users, admin.stats],
    onSuccess: () => toast.success('User restored successfully'),
    onError: (fault) => toast.error(sentenceOf(fault, 'Failed to restore user')),
  })

  const pages = data?.total_pages ?? 1
  return (
    <>
      <Card flush>
        <search
          aria-label="Users"
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5"
        >
          <Field label="Search users" hideLabel className="grow basis-56 sm:max-w-80">
            <DelayedInput value={search} onRest={(typed) => change({ search: typed })}>
              {(control) => (
                <SearchInput
                  {...control}
                  maxLength={USER_SEARCH_MAX}
                  placeholder="Name, email, company or id"
                />
              )}
            </DelayedInput>
          </Field>
          <Field label="Status" hideLabel className="w-40">
            <Select
              options={STATUSES}
              value={status ?? ''}
              onChange={(event) => change({ status: event.target.value })}
            />
          </Field>
          <Checkbox
            label="Include deleted users"
            checked={withDeleted}
            onChange={(event) => change({ deleted: event.target.checked ? '1' : undefined })}
          />
          <Button
            className="ml-auto"
            icon={<RefreshCw aria-hidden className="size-4" />}
            busy={isFetching}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
        </search>
        <List
          label="Users"
          query={query}
          failed={FAILED}
          rows={data?.users}
          keyOf={({ id }) => id}
          columns={{
            ...COLUMNS,
            actions: {
              title: 'Actions',
              align: 'right',
              render: (user) => (
                <Acts
                  user={user}
                  isRestoring={restore.isPending && restore.variables.params?.['id'] === user.id}
                  onAct={(act) =>
                    act === 'restore' ? restore.mutate({ params: { id: user.id } }) : show({ user, act })
                  }
                />
              ),
            },
          }}
          empty={
            <EmptyState
              title={page > 1 ? 'This page is empty now' : isFiltered ? 'No users found' : 'No users yet'}
            >
              {isFiltered ? 'Words are found by their beginnings; an address by its parts.' : null}
            </EmptyState>
          }
        />
        <PreviousNext
          label="Pagination"
          page={page}
          of={Math.max(pages, 1)}
          hasMore={page < pages}
          busy={isPlaceholderData}
          onPage={(next) => change(pageChanges.page(next))}
          className="px-4 py-2.5"
        />
      </Card>
      {asked === null ? null : asked.act === 'delete' ? (
        <DeleteUserDialog key={turn} {...props} user={asked.user} />
      ) : (
        <ChangeUserDialog key={turn} {...props} user={asked.user} />
      )}
    </>
  )
}

const COLUMNS = {
  user: {
    title: 'User',
    cellClass: 'py-2',
    render: (user) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="min-w-0 font-medium wrap-anywhere">{user.full_name}</span>
          {user.is_admin ? <Badge tone="moon">Admin</Badge> : null}
        </span>
        <span className="block text-sm wrap-anywhere text-ink-2">
          {user.company_name === '' ? user.email : `${user.email} · ${user.company_name}`}
        </span>
        {/* On phones there is room for two columns. */}
        <span className="mt-1 flex items-center gap-2 text-sm text-ink-2 sm:hidden">
          <Status user={user} />
          {tierName(user.pricing_tier)}
        </span>
      </>
    ),
  },
  tier: {
    title: 'Tier',
    className: 'hidden sm:table-cell',
    render: ({ pricing_tier: tier, available_credits: credits }) => (
      <>
        {tierName(tier)}
        {credits === 0 ? null : (
          <span className="block text-sm text-ink-2">{credits.toLocaleString('en')} credits</span>
        )}
      </>
    ),
  },
  status: {
    title: 'Status',
    className: 'hidden sm:table-cell',
    render: (user) => <Status user={user} />,
  },
  created: {
    title: 'Created',
    className: 'hidden lg:table-cell',
    cellClass: 'whitespace-nowrap',
    render: ({ created_at: at }) => <time dateTime={at}>{dateAndTime(new Date(at), currentTimeZone())}</time>,
  },
} satisfies Record<string, Column<AdminUser>>

type Act = 'delete' | 'change' | 'restore'
type ActsProps = { user: AdminUser; isRestoring: boolean; onAct: (act: Act) => void }

function Acts({ user, isRestoring, onAct }: ActsProps) {
  const isOneself = readAdminUser()?.id === user.id
  const button = (act: Act, label: string, busy = false) => (
    <Button size="s" aria-label={`${label} ${user.full_name}`} busy={busy} onClick={() => onAct(act)}>
      {label}
    </Button>
  )
  return (
    <span className="flex justify-end gap-1.5 py-1 max-sm:flex-col">
      {user.deleted_at === null ? button('change', 'Change') : button('restore', 'Restore', isRestoring)}
      {user.deleted_at !== null || isOneself ? null : button('delete', 'Delete')}
    </span>
  )
}

function Status({ user }: { user: AdminUser }) {
  if (user.deleted_at !== null) return <Badge tone="red">Deleted</Badge>
  if (user.is_active) return <Badge tone="green">Active</Badge>
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone="amber">Inactive</Badge>
      <span className="text-sm text-ink-2">banned</span>
    </span>
  )
}
