import type { ReactNode } from 'react'

/** What went wrong, above a form's buttons, announced at once. Nothing for no fault. */
export function Alert({ children }: { children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      {children}
    </p>
  )
}
