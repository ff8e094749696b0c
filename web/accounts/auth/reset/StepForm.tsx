import type { FormEvent, ReactNode } from 'react'

/** One step of a flow: what Enter sends. */
export function StepForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {children}
    </form>
  )
}
