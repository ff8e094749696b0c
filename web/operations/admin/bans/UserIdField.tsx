import { bans, type NamedUser } from '#contract/operations/bans.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { UserLine } from './FindUser.tsx'

type Named = { user: NamedUser | null; isKnown: boolean }

/** A user's number as it is typed; undefined for what is none. */
export function readUserId(typed: string): number | undefined {
  const id = Number(typed)
  return typed.trim() !== '' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

/** Whom a number names: `user` is null for nobody; `isKnown` is false while that is asked. */
export function useNamedUser(typed: string): Named {
  const id = readUserId(useSettled(typed))
  const { data, isPlaceholderData } = useAdminEndpoint(bans.findUsers, {
    query: { search: String(id ?? '') },
    enabled: id !== undefined,
    staleTime: 0,
  })
  const isAnswered = data !== undefined && !isPlaceholderData && id === readUserId(typed)
  return { user: (isAnswered && data.users.find((each) => each.id === id)) || null, isKnown: isAnswered }
}

/** The number of a user, with whom it names below. */
export function UserIdField(props: {
  value: string
  onChange: (value: string) => void
  named: Named
  error: string | undefined
}) {
  const { value, onChange, named, error } = props
  const isAsked = readUserId(value) !== undefined
  const help = !isAsked ? (
    'Find it above, or in the list of users.'
  ) : named.user !== null ? (
    <UserLine user={named.user} />
  ) : named.isKnown ? (
    'No user has this ID.'
  ) : (
    '…'
  )
  return (
    <Field label="User ID" help={help} error={error} required>
      <TextInput
        type="number"
        inputMode="numeric"
        min={1}
        // Who scrolls the page must not choose somebody else.
        onWheel={(event) => event.currentTarget.blur()}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
