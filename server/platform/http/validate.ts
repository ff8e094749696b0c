import type * as z from 'zod/mini'
import { invalidInput, type Refusal } from '../errors.ts'

type Schema = z.ZodMiniType

/**
 * Parses what came with a request by the contract's schema.
 *
 * @throws Refusal 400 whose `fields` give each wrong field its sentence; `detail` is the first of them
 */
export function readInput<S extends Schema | undefined>(
  schema: S,
  input: unknown,
): S extends Schema ? z.output<S> : undefined {
  type Result = S extends Schema ? z.output<S> : undefined
  if (schema === undefined) return undefined as Result
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data as Result
  throw inputFault(parsed.error.issues)
}

type Issue = {
  path: PropertyKey[]
  message: string
  code?: string | undefined
  /** Of a value that is none of several kinds: what each kind says. */
  errors?: readonly (readonly Issue[])[]
}

function inputFault(issues: readonly Issue[]): Refusal {
  const fields: Record<string, string> = {}
  for (const issue of issues) fields[issue.path.map(String).join('.')] ??= sentence(issue)
  const [name, why] = Object.entries(fields)[0] ?? ['', 'This request cannot be read.']
  return invalidInput(
    name === '' || /^(Please|Must|This|From|Ports|Invalid)/.test(why) ? why : `${name}: ${why}`,
    fields,
  )
}

// The library's own message for a missing or wrongly typed value is meant for programmers; a user reads this instead.
function sentence(issue: Issue): string {
  const only = issue.errors?.flat().find(({ message }) => !message.startsWith('Invalid '))
  if (issue.message.startsWith('Invalid input'))
    return only?.message ?? 'This is missing or not of the right kind'
  if (issue.message.startsWith('Invalid option')) return `This is not one of the choices`
  return issue.message
}
