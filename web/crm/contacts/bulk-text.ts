/** "1 contact", "1,204 contacts". */
export function contactsIn(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'contact' : 'contacts'}`
}

/** The result of a bulk action, as a sentence. */
export const SAID = {
  tag: (changed: number, tag: string) => `${contactsIn(changed)} tagged “${tag}”`,
  untag: (changed: number, tag: string) => `“${tag}” removed from ${contactsIn(changed)}`,
  delete: (changed: number) => (changed === 1 ? 'Contact deleted' : `${contactsIn(changed)} deleted`),
  stop: (changed: number) => `Mailing stopped for ${contactsIn(changed)}`,
  lift: (changed: number, kept: number) =>
    kept === 0
      ? `${contactsIn(changed)} can be mailed again`
      : `${contactsIn(changed)} can be mailed again, ${kept.toLocaleString('en')} unchanged`,
}
