import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'

export type NewPassword = { password: string; confirmation: string }

/** A new password, typed twice. */
export function NewPasswordFields(props: {
  value: NewPassword
  onChange: (value: NewPassword) => void
  min: number
}) {
  const { value, onChange, min } = props
  return (
    <>
      <Field label="New password" help={`At least ${min} characters.`} required>
        <PasswordInput
          value={value.password}
          onChange={(event) => onChange({ ...value, password: event.target.value })}
          autoComplete="new-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is for these fields alone
          autoFocus
        />
      </Field>
      <Field label="Confirm password" required>
        <PasswordInput
          value={value.confirmation}
          onChange={(event) => onChange({ ...value, confirmation: event.target.value })}
          autoComplete="new-password"
        />
      </Field>
    </>
  )
}
