import { useLayoutEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/** Keeps a form at what is saved, wherever that was changed, as long as nobody has begun to type. */
export function useFollowing<Entries extends FieldValues, Saved>(
  form: UseFormReturn<Entries, unknown, Entries>,
  entriesOf: (saved: Saved) => Entries,
  saved: Saved,
): void {
  const { isDirty } = form.formState
  // At once: between the new state and a later effect there would be room for a click, which that effect would undo.
  useLayoutEffect(() => {
    // The elements stay, and with them the focus of whoever has just saved.
    if (!isDirty) form.reset(entriesOf(saved), { keepFieldsRef: true })
    // oxlint-disable-next-line react/exhaustive-deps -- a form that is clean again was just given what is saved
  }, [form, entriesOf, saved])
}
