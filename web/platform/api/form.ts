import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, sentenceOf } from './errors.ts'

/**
 * Validates a form with a schema of the contract (`formResolver(auth.login.body)`), so it shows the same messages as
 * the server.
 */
export function formResolver<S extends z.ZodMiniType<FieldValues, FieldValues>>(
  schema: S | undefined,
): Resolver<z.input<S>, unknown, z.output<S>> {
  if (schema === undefined)
    throw new Error('This endpoint takes no body: there is nothing to check a form by')
  return zodResolver(schema)
}

/**
 * Shows the server's field errors beside the fields and focuses the first wrong one.
 *
 * `fields` lists the form's fields from top to bottom, by the form's own names. Returns the message to show above the
 * buttons, or null if every error found a field. `fallback` is used if the server gave no message.
 */
export function showFieldErrors<T extends FieldValues>(
  form: Pick<UseFormReturn<T, unknown, unknown>, 'setError' | 'setFocus'>,
  error: unknown,
  fields: readonly Path<T>[],
  fallback: string,
): string | null {
  if (!(error instanceof ApiError)) return fallback
  const wrong = placeErrors(error.fields ?? {}, fields)
  for (const [index, { name, why }] of wrong.entries()) {
    form.setError(name as Path<T>, { type: 'server', message: why })
    if (index === 0) form.setFocus(name as Path<T>)
  }
  if (wrong.length > 0) return null
  // Without an answer our own message says more than the fallback: no network, or a timeout.
  return error.kind === 'answer' ? sentenceOf(error, fallback) : error.detail
}

/** The server's field errors that the form has a field for, in the form's order. */
function placeErrors(
  said: Record<string, string>,
  fields: readonly string[],
): readonly { name: string; why: string }[] {
  return fields.flatMap((name) => (said[name] === undefined ? [] : [{ name, why: said[name] }]))
}
