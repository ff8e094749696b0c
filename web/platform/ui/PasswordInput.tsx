import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { TextInput, type TextInputProps } from './TextInput.tsx'

/** A password field with a button that shows the text. Set `autoComplete` to "current-password" or "new-password". */
export function PasswordInput(props: Omit<TextInputProps, 'type'>) {
  const [shown, setShown] = useState(false)
  return (
    <span className="relative block">
      <TextInput
        autoCapitalize="none"
        spellCheck={false}
        {...props}
        type={shown ? 'text' : 'password'}
        className="pr-11"
      />
      <IconButton
        size="s"
        label={shown ? 'Hide characters' : 'Show characters'}
        icon={shown ? <EyeOff /> : <Eye />}
        disabled={props.disabled}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-1 my-auto"
      />
    </span>
  )
}
