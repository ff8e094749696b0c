import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { ApiError, sentenceOf } from './errors.ts'

/** Checks a form by a schema of the contract (`formResolver(auth.login.body)`): the sentences that the server would say. */
export function formResolver<S extends z.ZodMiniType<FieldValues, FieldValues>>(
  schema: S | undefined,
): Resolver<z.input<S>, unknown, z.output<S>> {
  if (schema === undefined)
    throw new Error('This endpoint takes no body: there is nothing to check a form by')
  return zodResolver(schema)
}

/**
 * Puts what the server has said about fields beside them and moves the focus to the first wrong one.
 *
 * `fields` lists the form's fields from top to bottom, as `names` where the form calls one differently. Gives the
 * sentence that belongs to no field of the form, to be shown above its buttons; null when every one found its place.
 * Where the server has said none of its own, that is `fallback`.
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
  // Without an answer we know better than the fallback what is amiss: the network, or the time.
  return error.kind === 'answer' ? sentenceOf(error, fallback) : error.detail
}

/** The server's sentences that have a place in the form, in the form's order. */
function placeErrors(
  said: Record<string, string>,
  fields: readonly string[],
): readonly { name: string; why: string }[] {
  return fields.flatMap((name) => (said[name] === undefined ? [] : [{ name, why: said[name] }]))
}
