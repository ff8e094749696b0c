import { paths } from '#web/platform/paths.ts'

/** The address of a contact's page. */
export const contactPath = (id: number) => paths.contact.replace(':id', String(id))
