import { useState } from 'react'
import { bans, type NamedUser, USER_SEARCH_MAX } from '#contract/operations/bans.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { useAdminEndpoint } from '../admin-calls.ts'

type Choose = (user: NamedUser) => void

/** Finds a user by address, name or number, and puts the number into one of the forms. */
export function FindUser({ onBan, onUnban }: { onBan: Choose; onUnban: Choose }) {
  const [search, setSearch] = useState('')
  const { data, isError } = useAdminEndpoint(bans.findUsers, {
    query: { search },
    enabled: search !== '',
    staleTime: 0,
  })
  const found = search === '' ? undefined : data?.users
  return (
    <div className="flex flex-col gap-2">
      <Field label="Email, name or ID" className="max-w-100">
        <DelayedInput value={search} onRest={(typed) => setSearch(typed.trim())}>
          {(control) => <SearchInput {...control} maxLength={USER_SEARCH_MAX} />}
        </DelayedInput>
      </Field>
      <div aria-live="polite">
        {isError ? <p className="text-danger">The users could not be searched.</p> : null}
        {found?.length === 0 ? <p className="text-ink-2">Nobody is called so.</p> : null}
        {found === undefined || found.length === 0 ? null : (
          <ul aria-label="Users found" className="divide-y divide-line">
            {found.map((user) => (
              <li key={user.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
                <UserLine user={user} />
                {user.ban === null ? (
                  <Button size="s" aria-label={`Choose ${user.email} to ban`} onClick={() => onBan(user)}>
                    Ban …
                  </Button>
                ) : (
                  <Button size="s" aria-label={`Choose ${user.email} to unban`} onClick={() => onUnban(user)}>
                    Unban …
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {found !== undefined && data?.has_more === true ? (
          <p className="text-ink-2">More users match. Type more of the name or the address.</p>
        ) : null}
      </div>
    </div>
  )
}

/** Who somebody is, in a line. */
export function UserLine({ user }: { user: NamedUser }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <span className="font-medium wrap-anywhere">{user.full_name}</span>
      <span className="wrap-anywhere">
        {user.email} · ID {user.id}
      </span>
      {user.is_admin ? <Badge tone="moon">Admin</Badge> : null}
      {user.ban === null ? null : <Badge tone="red">Banned</Badge>}
    </span>
  )
}
