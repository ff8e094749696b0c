/** What a template may say about its reader and its writer. Nothing else can be asked for. */
export const FIELDS = [
  { name: 'greeting', label: 'Greeting', fallback: '', of: 'reader' },
  { name: 'first_name', label: 'First name', fallback: 'there', of: 'reader' },
  { name: 'name', label: 'Full name', fallback: 'there', of: 'reader' },
  { name: 'company', label: 'Company', fallback: 'your company', of: 'reader' },
  { name: 'position', label: 'Position', fallback: 'your work', of: 'reader' },
  { name: 'email', label: 'Email address', fallback: '', of: 'reader' },
  { name: 'my_name', label: 'My name', fallback: '', of: 'writer' },
  { name: 'my_company', label: 'My company', fallback: 'our company', of: 'writer' },
  { name: 'my_role', label: 'My role', fallback: '', of: 'writer' },
] as const

export type FieldName = (typeof FIELDS)[number]['name']

/** What each field says for one reader; '' where nothing is known. */
export type FieldValues = Readonly<Record<FieldName, string>>

// A Map: unlike an object it has no `constructor` and no `__proto__`.
const BY_NAME: ReadonlyMap<string, (typeof FIELDS)[number]> = new Map(
  FIELDS.map((field) => [field.name, field]),
)

/** The field of this name; undefined if there is none. */
export const fieldOf = (name: string): (typeof FIELDS)[number] | undefined => BY_NAME.get(name)

/** How a field is written in a template, with the default that suits it: `{{ first_name | default: "there" }}`. */
export function fieldTag(name: FieldName): string {
  const fallback = fieldOf(name)?.fallback ?? ''
  return fallback === '' ? `{{ ${name} }}` : `{{ ${name} | default: "${fallback}" }}`
}
