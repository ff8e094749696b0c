/** The address of a part of User Management, with what the part should show. */
export function sectionLink(section: string, query: Record<string, string> = {}): string {
  return `?${new URLSearchParams({ tab: 'management', section, ...query }).toString()}`
}
