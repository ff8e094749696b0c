import { paths } from '#web/paths.ts'

/** The address of a contact's page. */
export const contactPath = (id: number) => paths.contact.replace(':id', String(id))
