import type { ColumnMeaning, ImportCheck, ImportColumn, ImportSource } from '#contract/crm/contact-imports.ts'

/** What a column can become, in the order of the select. */
export const MEANING_OPTIONS: { value: ColumnMeaning; label: string }[] = [
  { value: 'ignore', label: 'Not imported' },
  { value: 'name', label: 'Name' },
  { value: 'first_name', label: 'First name' },
  { value: 'middle_name', label: 'Middle name' },
  { value: 'last_name', label: 'Last name' },
  { value: 'email', label: 'Email' },
  { value: 'company', label: 'Company' },
  { value: 'position', label: 'Position' },
  { value: 'phone', label: 'Phone' },
  { value: 'notes', label: 'Notes' },
  { value: 'status', label: 'Status' },
  { value: 'tags', label: 'Tags' },
]

const SOURCES: Record<ImportSource, string> = {
  howl: ', from Howl',
  google: ', from Google Contacts',
  outlook: ', from Outlook',
  thunderbird: ', from Thunderbird',
  apple: ', from Apple Contacts',
  hubspot: ', from HubSpot',
  vcard: '',
  csv: '',
}

/** The program a file comes from, to follow its name; empty if only the name tells. */
export const sourceText = (source: ImportSource): string => SOURCES[source]

export type Duplicates = 'update' | 'skip'

/** What an import will do, given the choice for contacts that already exist. */
export function outcomeOf({ create, existing, refused_total }: ImportCheck, duplicates: Duplicates) {
  const update = duplicates === 'update' ? existing : 0
  return { create, update, skip: refused_total + existing - update, total: create + update }
}

/** "1,234 contacts" */
export const contactsText = (count: number): string =>
  count === 1 ? '1 contact' : `${count.toLocaleString('en')} contacts`

/** The columns that will be imported, and the others, each with its place in the file. */
export function splitColumns(columns: readonly ImportColumn[]) {
  const placed = columns.map((column, place) => ({ ...column, place }))
  return {
    taken: placed.filter(({ meaning }) => meaning !== 'ignore'),
    others: placed.filter(({ meaning }) => meaning === 'ignore'),
  }
}
