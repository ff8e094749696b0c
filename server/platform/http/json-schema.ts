import * as z from 'zod/mini'

type Json = { [key: string]: unknown }

/**
 * A Zod schema as JSON Schema for Fastify's serializer and for OpenAPI.
 *
 * `anyOf [x, null]` becomes a nullable x: fast-json-stringify compiles that to straight code, but runs a validator
 * for every row of an `anyOf`.
 */
export function jsonSchemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const made = MADE[io].get(schema) ?? makeSchema(schema, io)
  MADE[io].set(schema, made)
  return made
}

/** Every call has the schema of errors, and tests start the app a thousand times: each is made once. */
const MADE = { input: new WeakMap<z.ZodMiniType, Json>(), output: new WeakMap<z.ZodMiniType, Json>() }

function makeSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-7',
  }) as Json
  return simplify(json) as Json
}

function simplify(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(simplify)
  if (typeof node !== 'object' || node === null) return node
  const object = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, simplify(value)]))
  const options = object['anyOf']
  if (!Array.isArray(options) || options.length !== 2) return object
  const rest = (options as Json[]).filter((option) => option['type'] !== 'null')
  const only = rest[0]
  return rest.length === 1 && only !== undefined ? { ...only, nullable: true } : object
}
