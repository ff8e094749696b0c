import { useEffect, useRef, type RefObject } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { STEPS, type TypedAnswer } from './steps.ts'
import { type SignUp, useSignUp } from './use-sign-up.ts'

export type SignUpWizardProps = { open: boolean; onClose: () => void }

/** The sign-up: thirteen questions, one at a time. What was typed is there again when it is opened anew, but passwords. */
export function SignUpWizard({ open, onClose }: SignUpWizardProps) {
  const signUp = useSignUp(open, onClose)
  const { step, question, isLast, busy, refusal } = signUp
  const input = useRef<HTMLInputElement>(null)
  const submit = () => {
    signUp.next()
    // Where the answer cannot stand the user is to mend it; a new step takes the focus by itself.
    input.current?.focus()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create your account"
      size="s"
      initialFocus={input}
      busy={busy}
      error={refusal}
      onSubmit={submit}
      footer={<Buttons signUp={signUp} />}
    >
      <p aria-live="polite" className="mb-2 text-sm text-ink-2 tabular-nums">
        Step {step + 1} of {STEPS.length}
      </p>
      <ProgressBar label="Sign-up progress" value={step + 1} max={STEPS.length} />
      <div className="mt-5 min-h-22">
        {isLast ? (
          <Consent signUp={signUp} input={input} />
        ) : (
          <Question key={question.field} signUp={signUp} input={input} />
        )}
      </div>
    </Dialog>
  )
}

function Buttons({ signUp }: { signUp: SignUp }) {
  const { step, isLast, busy, previous } = signUp
  return (
    <>
      <Button onClick={previous} disabled={step === 0 || busy} className="mr-auto">
        Previous
      </Button>
      <Button
        key={isLast ? 'create' : 'next'}
        type="submit"
        variant="primary"
        busy={busy}
        {...(isLast ? { busyLabel: 'Creating Account...' } : {})}
      >
        {isLast ? 'Create Account' : 'Next'}
      </Button>
    </>
  )
}

type QuestionProps = { signUp: SignUp; input: RefObject<HTMLInputElement | null> }

function Question({ signUp, input }: QuestionProps) {
  useEffect(() => input.current?.focus(), [input])
  const { question, answers, fault } = signUp
  const { label, help, optional = false, autoComplete = 'off', kind = 'text' } = question
  const field = question.field as TypedAnswer
  const shared = {
    ref: input,
    name: field,
    value: answers[field],
    autoComplete,
    onChange: (event: { target: { value: string } }) => signUp.answer({ [field]: event.target.value }),
  }
  const plain = kind === 'email' || field === 'username' || field === 'referralCode'
  return (
    <Field
      label={label}
      help={help}
      error={fault ?? undefined}
      required={!optional}
      aside={optional ? 'Optional' : undefined}
    >
      {kind === 'password' ? (
        <>
          {/* A password manager stores the new password under this name. */}
          <input hidden readOnly type="text" autoComplete="username" value={answers.email} />
          <PasswordInput {...shared} />
        </>
      ) : (
        // `email` would let the browser take blanks away and complain in its own words.
        <TextInput
          {...shared}
          type={kind === 'tel' ? 'tel' : 'text'}
          inputMode={kind}
          {...(plain ? { autoCapitalize: 'none', spellCheck: false } : {})}
        />
      )}
    </Field>
  )
}

function Consent({ signUp, input }: QuestionProps) {
  useEffect(() => input.current?.focus(), [input])
  const { answers, fault, answer } = signUp
  return (
    <Checkbox
      ref={input}
      name="consent"
      checked={answers.consent}
      required
      onChange={(event) => answer({ consent: event.target.checked })}
      error={fault ?? undefined}
      label={
        <>
          I agree to the processing of my data and to the{' '}
          {/* In a tab of its own: nothing that was typed is lost. */}
          <Link to={paths.privacy} target="_blank" className="text-accent underline">
            privacy policy
          </Link>
        </>
      }
    />
  )
}
