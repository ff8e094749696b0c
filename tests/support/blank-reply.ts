import type { Endpoint, ReplyOf } from '#contract/platform/endpoint.ts'
import { isTaken, type Schema, sampleOf } from './contract-schemas.ts'

/** A reply that the contract allows and that says as little as possible: no rows, empty texts, zeros, nulls. */
export function blankReply<E extends Endpoint>(endpoint: E): ReplyOf<E> {
  return (endpoint.reply === undefined ? undefined : blankOf(endpoint.reply)) as ReplyOf<E>
}

/** A value of a schema with as little in it as possible, and what the test is about: `blank(contact, { name: 'Anna' })`. */
export function blank<Value extends object>(
  schema: { _zod: { output: Value } },
  fields: Partial<Value> = {},
): Value {
  return { ...(blankOf(schema) as Value), ...fields }
}

const EMPTY = [null, '', 0, false, 1]

function blankOf(schema: unknown): unknown {
  const { def } = (schema as Schema)._zod
  if (def.type === 'object') {
    const fields = Object.entries(def.shape).filter(([, each]) => !isTaken(each as Schema, undefined))
    return Object.fromEntries(fields.map(([key, each]) => [key, blankOf(each)]))
  }
  if (def.type === 'array') return []
  if (def.type === 'union') return blankOf(def.options[0])
  if (def.type === 'record') return {}
  const empty = EMPTY.find((each) => isTaken(schema as Schema, each))
  return empty === undefined ? sampleOf(schema as Schema) : empty
}
