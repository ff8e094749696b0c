/** The functions and classes that these modules export and that are not among the named ones. */
export async function functionsIn(modules: readonly URL[], named: readonly string[]): Promise<string[]> {
  const known = new Set(named)
  const missing: string[] = []
  for (const { href } of modules) {
    const given = (await import(href)) as Record<string, unknown>
    for (const [name, what] of Object.entries(given))
      if (typeof what === 'function' && !known.has(name)) missing.push(name)
  }
  return missing
}
