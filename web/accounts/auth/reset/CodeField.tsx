import { OTP_LENGTH } from '#contract/accounts/password-reset.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

/** The field of a mailed code: letters and digits only, six at most. A pasted code may have blanks. */
export function CodeField(props: {
  value: string
  onChange: (code: string) => void
  onEnter?: () => void
  help: string
}) {
  return (
    <Field label="OTP" help={props.help} required>
      <TextInput
        value={props.value}
        onChange={(event) =>
          props.onChange(event.target.value.replaceAll(/[^a-z\d]/gi, '').slice(0, OTP_LENGTH))
        }
        onKeyDown={(event) => event.key === 'Enter' && props.onEnter?.()}
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="font-mono text-lg tracking-[0.3em]"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step has one field, and the user has just asked for it
        autoFocus
      />
    </Field>
  )
}
