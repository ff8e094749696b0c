import type { Ref } from 'react'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

/** What is typed: the code of an app, or a recovery code in its place. */
export type CodeKind = 'app' | 'recovery'

const ASKED: Record<CodeKind, { label: string; help: string }> = {
  app: { label: 'Code', help: 'Six digits from your authenticator app.' },
  recovery: { label: 'Recovery code', help: 'One of those that you kept. Each works once.' },
}

/** The field of the second step. `onKind` offers the other kind of code. */
export function AppCodeField(props: {
  value: string
  onChange: (code: string) => void
  kind?: CodeKind
  onKind?: (kind: CodeKind) => void
  error: string | null
  /** Focused as it appears. On a phone this opens the keyboard. */
  takesFocus?: boolean
  ref?: Ref<HTMLInputElement>
}) {
  const { value, onChange, kind = 'app', onKind, error, ref } = props
  const { label, help } = ASKED[kind]
  const isApp = kind === 'app'
  return (
    <Field
      label={label}
      help={help}
      error={error ?? undefined}
      required
      aside={
        onKind === undefined ? undefined : (
          <button
            type="button"
            onClick={() => onKind(isApp ? 'recovery' : 'app')}
            className="text-accent hover:underline"
          >
            {isApp ? 'Use a recovery code' : 'Use your app'}
          </button>
        )
      }
    >
      <TextInput
        ref={ref}
        name={isApp ? 'totp' : 'recovery-code'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        // A phone shows its digits; a recovery code has letters.
        inputMode={isApp ? 'numeric' : 'text'}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={40}
        className={isApp ? 'font-mono text-lg tracking-[0.3em]' : 'font-mono text-lg tracking-[0.06em]'}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only in a step that the user has just asked for, and that is for this field
        autoFocus={props.takesFocus ?? false}
      />
    </Field>
  )
}
