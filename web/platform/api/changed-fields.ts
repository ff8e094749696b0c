/** The fields of a form that differ from their previous values. */
export function changedFields<Fields extends Record<string, unknown>>(
  fields: Fields,
  before: Readonly<Partial<Record<keyof Fields, unknown>>>,
): Partial<Fields> {
  const changed = Object.entries(fields).filter(([name, value]) => value !== before[name])
  return Object.fromEntries(changed) as Partial<Fields>
}
